"""Says where the lines of review comments are now. A PySpark job over many repositories.

    python reanchor.py FILES COMMENTS OUT [--master MASTER]
    spark-submit reanchor.py FILES COMMENTS OUT

FILES has a row for each file that has changed: repository, file_path, new_path, old_text, text.
COMMENTS has a row for each comment: id, repository, file_path, line.
OUT gets a row for each comment: id, status, and the line and path where it is now, if it is still there.

Every executor needs the package locant, and nothing else: no clone, no language server, no network.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any, Optional

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

FILES = "repository string, file_path string, new_path string, old_text string, text string"
COMMENTS = "id long, repository string, file_path string, line int"
ANSWERS = "id long, status string, new_path string, new_line int, confidence double, why string"

Answer = tuple[int, str, Optional[str], Optional[int], Optional[float], Optional[str]]


def answers(rows: Iterator[Row]) -> Iterator[Answer]:
    """Answers the comments of some files. A file is parsed once for all of its comments."""
    import locant  # On the executor: the driver needs no engine.

    for row in rows:
        if row.text is None:
            for comment in row.comments:
                yield comment.id, "gone", None, None, None, "the file was deleted"
            continue
        for comment in row.comments:
            place = locant.Locate(row.file_path, locant.LineScope(comment.line))
            try:
                now = locant.relocate(place, old_text=row.old_text, text=row.text)
                yield comment.id, now.status, row.new_path, now.position.line, now.confidence, None
            except locant.NotFound as error:
                yield comment.id, error.kind, None, None, None, error.message
            except locant.LocantError as error:
                # One file that cannot be read must not end a job of hours.
                yield comment.id, "failed", None, None, None, str(error)


def reanchor(spark: SparkSession, files: str, comments: str, n_parts: int) -> Any:
    changed = spark.read.schema(FILES).json(files)
    by_file = (
        spark.read.schema(COMMENTS)
        .json(comments)
        .groupBy("repository", "file_path")
        .agg(F.collect_list(F.struct("id", "line")).alias("comments"))
    )
    # A file that is not in the table has not changed. Its comments are still where they were, so they are left out.
    rows = by_file.join(changed, ["repository", "file_path"]).repartition(n_parts)
    return spark.createDataFrame(rows.rdd.mapPartitions(answers), ANSWERS)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files")
    arguments.add_argument("comments")
    arguments.add_argument("out")
    arguments.add_argument("--master", help="such as local[2]; spark-submit gives its own")
    arguments.add_argument("--parts", type=int, default=200, help="into how many tasks the files are divided")
    given = arguments.parse_args()
    builder = SparkSession.builder.appName("reanchor")
    spark = (builder.master(given.master) if given.master else builder).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    start = time.monotonic()
    reanchor(spark, given.files, given.comments, given.parts).write.mode("overwrite").json(given.out)
    seconds = time.monotonic() - start
    by_status = spark.read.schema(ANSWERS).json(given.out).groupBy("status").count().collect()
    told = ", ".join(f"{row['count']} {row.status}" for row in sorted(by_status, key=lambda row: -row["count"]))
    n_answers = sum(row["count"] for row in by_status)
    print(f"{n_answers} answers in {seconds:.1f} s, {n_answers / seconds:.0f} a second: {told}")
    spark.stop()


if __name__ == "__main__":
    main()
