#!/usr/bin/env bash
# Asked only about files that end in .env: "when" in toolcrib.yaml sees to that. Exit code 2 says no, stderr says why.
echo "Files that end in .env hold secrets; ask a person for the value that you need." >&2
exit 2
