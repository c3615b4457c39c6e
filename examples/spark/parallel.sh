#!/usr/bin/env bash
# Finds where the lines of review comments are now, on one machine, with GNU parallel and `locant batch`.
#
#   parallel.sh CHECKOUT REVISION REQUESTS JOBS > ANSWERS
#
# CHECKOUT is a clone with the current files, REVISION the commit that the comments were written about, and REQUESTS a
# file with one request in each line. Requests about the same file should be next to each other, because then a process
# parses the file only once.
set -euo pipefail
checkout=$1 revision=$2 requests=$(realpath "$3") jobs=$4
cd "$checkout"
parallel --will-cite --jobs "$jobs" --pipepart --arg-file "$requests" --block -4 "locant batch --from $revision"
