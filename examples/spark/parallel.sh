#!/usr/bin/env bash
# Says where the lines of review comments are now, on one machine, with GNU parallel and `locant batch`.
#
#   parallel.sh CHECKOUT REVISION REQUESTS JOBS > ANSWERS
#
# CHECKOUT is a clone as it is now, REVISION the commit that the comments were written about, and REQUESTS a file with a
# request in each line. Requests about one file should stand together: a process parses a file once for all of them.
set -euo pipefail
checkout=$1 revision=$2 requests=$(realpath "$3") jobs=$4
cd "$checkout"
parallel --will-cite --jobs "$jobs" --pipepart --arg-file "$requests" --block -4 "locant batch --from $revision"
