#!/bin/sh
# Usage: run.sh BANZUKE. openapi.yaml as others meet it: linted, turned into a typed client, and that
# client plays a rated game of each kind on BANZUKE. Controls show that a wrong document fails at each step.
set -eu
banzuke=$(realpath "$1")
cd "$(dirname "$0")"
PATH=$PWD/node_modules/.bin:$PATH
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
rm -rf generated
mkdir -p generated/right generated/wrong

fail() { printf 'contract: %s\n' "$*" >&2; exit 1; }
quietly() { "$@" >generated/said 2>&1 || { cat generated/said >&2; fail "$1 finds fault"; }; }
# must_fail WORDS COMMAND...: it has to fail, and for the right reason.
must_fail() {
    words=$1
    shift
    ! "$@" >generated/said 2>&1 || fail "control: $1 finds nothing wrong where '$words' is due"
    grep -q "$words" generated/said || { cat generated/said >&2; fail "control: no '$words'"; }
}
redocly_lint() { redocly lint "$1" --config redocly.yaml --format stylish; }
spectral_lint() { spectral lint "$1" --ruleset spectral.yaml --fail-severity hint; }
client() {
    timeout 300 node generated/js/src/play.js "$banzuke" "$1" ../data/hasami.games.jsonl \
        ../data/yonin.games.jsonl
}
changed() { jq "$1" generated/right/openapi.json >generated/wrong/openapi.json; }

quietly redocly_lint ../../openapi.yaml
quietly spectral_lint ../../openapi.yaml
quietly redocly bundle ../../openapi.yaml --ext json -o generated/right/openapi.json
quietly openapi-typescript generated/right/openapi.json -o generated/right/contract.ts
quietly tsc -p tsconfig.json
client generated/right/openapi.json

# An example that does not fit, and a description that is missing, which is only a warning.
changed '.components.examples.Me.value.ticket = 7'
must_fail 'no-invalid-media-type-examples' redocly_lint generated/wrong/openapi.json
changed 'del(.paths["/v1/me"].get.description)'
must_fail 'operation-description' spectral_lint generated/wrong/openapi.json

# Another type in the answers: the compiler says so, and so does the client when it runs. (Without the
# examples, which would give it away before.)
changed 'del(.. | .example?, .examples?) | .components.schemas.Points.type = "string"'
quietly openapi-typescript generated/wrong/openapi.json -o generated/wrong/contract.ts
must_fail 'TS2362' tsc -p tsconfig.wrong.json
must_fail 'createTicket: the answer 201: /rating must be string' client generated/wrong/openapi.json
echo 'contract: clean, and the controls fail as they must'
