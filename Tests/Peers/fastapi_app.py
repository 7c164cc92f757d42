"""fastapi-pagination over the posts, in each of its ways to page: python fastapi_app.py DATABASE PORT"""

import sys

import uvicorn
from fastapi import FastAPI
from fastapi_pagination import LimitOffsetPage, Page, add_pagination
from fastapi_pagination.cursor import CursorPage
from fastapi_pagination.ext.sqlalchemy import paginate
from pydantic import BaseModel, ConfigDict
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

engine = create_engine(f"sqlite:///{sys.argv[1]}")


class Base(DeclarativeBase):
    pass


class Post(Base):
    __tablename__ = "posts"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    stars: Mapped[int]


class PostOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    id: int
    title: str
    stars: int


app = FastAPI()
newest_first = select(Post).order_by(Post.id.desc())


@app.get("/page")
def pages() -> Page[PostOut]:
    with Session(engine) as session:
        return paginate(session, newest_first)


@app.get("/offset")
def offsets() -> LimitOffsetPage[PostOut]:
    with Session(engine) as session:
        return paginate(session, newest_first)


@app.get("/cursor")
def cursors() -> CursorPage[PostOut]:
    with Session(engine) as session:
        return paginate(session, newest_first)


add_pagination(app)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
