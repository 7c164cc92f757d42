"""The table that every server serves: 2,000 posts in a SQLite file, and somebody who writes to it."""

import pathlib
import random
import sqlite3

ROWS = 2_000
# How often somebody writes while a list is read.
WRITES = 12


class Table:
    """Posts, newest first: the higher the id, the higher in the list."""

    def __init__(self, folder: pathlib.Path, rows: int = ROWS):
        self.path = folder / "posts.db"
        self.connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=30)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = OFF")
        self.connection.execute(
            "CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars INTEGER NOT NULL)")
        # Every third id is free, for rows that come in the middle.
        self.connection.executemany(
            "INSERT INTO posts VALUES (?, ?, ?)",
            [(3 * number, f"Post {number}", number % 5) for number in range(1, rows + 1)])

    def close(self):
        self.connection.close()

    def ids(self) -> list[str]:
        """What a list of all posts has to show."""
        return [str(id) for (id,) in self.connection.execute("SELECT id FROM posts ORDER BY id DESC")]

    def insert(self, id: int):
        self.connection.execute("INSERT OR IGNORE INTO posts VALUES (?, ?, 0)", (id, f"New {id}"))

    def delete(self, id: int):
        self.connection.execute("DELETE FROM posts WHERE id = ?", (id,))


class Writer:
    """Writes between the pages that somebody reads: rows come and go, some unseen by any count.

    Deterministic: the seed decides what is written, and a failing test prints it.
    """

    def __init__(self, table: Table, seed: int, everywhere: bool = False, writes: int = WRITES):
        self.table = table
        self.random = random.Random(seed)
        self.everywhere = everywhere
        self.writes = writes
        self.there_throughout = set(table.ids())

    def write(self, number: int):
        """What happens before the answer of this number, from 0 on."""
        if number == 0 or self.writes == 0 or self.random.random() < 0.3:
            return
        self.writes -= 1
        ids = [int(id) for id in self.table.ids()]
        for _ in range(self.random.randint(0, 3)):
            self.table.insert(max(ids) + 3)
            ids = [max(ids) + 3] + ids
        if self.everywhere:
            for _ in range(self.random.randint(0, 3)):
                self.table.insert(self.random.choice(ids) + self.random.choice([1, 2]))
        for _ in range(self.random.randint(0, 3)):
            id = self.random.choice(ids)
            self.table.delete(id)
            self.there_throughout.discard(str(id))
