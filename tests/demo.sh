#!/bin/sh
# Usage: demo.sh BANZUKE. Scripted devices play rated games of both kinds over HTTP on a throw-away
# server; prints the requests, the ranking lists, and what an operator sees with sqlite3. A test holds
# README.md to what this prints.
set -eu
banzuke=$(realpath "$1")
folder=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
: >log # there before anybody looks into it
"$banzuke" serve --listen 127.0.0.1:0 --log errors 2>log &
pid=$!
for _ in $(seq 600); do grep -q '"ready"' log && break; sleep 0.05; done
origin=http://$(sed -n 's/.*"event":"ready".*"listen":"\([^"]*\)".*/\1/p' log)
json='Content-Type: application/json'

# call METHOD PATH TOKEN [BODY]: prints nothing, answers on stdout
call() {
    if [ -n "${4-}" ]; then
        curl -fsS -X "$1" "$origin$2" -H "Authorization: Bearer $3" -H "$json" -d "$4"
    else
        curl -fsS -X "$1" "$origin$2" ${3:+-H "Authorization: Bearer $3"}
    fi
}

register() { curl -fsS -X POST "$origin/v1/devices" -H "$json" -d "{\"name\":\"$1\"}" | jq -r .token; }

# match TOKEN TOKEN: the game's id
match() {
    first=$(call POST /v1/tickets "$1" '{"pool":"hasami"}' | jq -r .id)
    call POST /v1/tickets "$2" '{"pool":"hasami"}' >/dev/null
    call GET "/v1/tickets/$first?wait=5" "$1" | jq -r .game_id
}

# play GAME TOKEN_B TOKEN_W MOVE...
play() {
    game=$1 mover=$2 other=$3
    shift 3
    ply=1
    for move in "$@"; do
        call POST "/v1/games/$game/moves" "$mover" "{\"ply\":$ply,\"move\":\"$move\"}" >last
        ply=$((ply + 1)) next=$other other=$mover mover=$next
    done
}

# four TOKEN...: the game's id; the token of seat s is in the file seat.s, and so on
four() {
    for token in "$@"; do
        call POST /v1/tickets "$token" '{"pool":"yonin"}' | jq -r .id >"ticket.$token"
    done
    for token in "$@"; do
        call GET "/v1/tickets/$(cat "ticket.$token")?wait=5" "$token" >ticket
        echo "$token" >"seat.$(jq -r .seat ticket)"
    done
    jq -r .game_id ticket
}

# play_four GAME MOVE...: whoever is on turn moves; mates are printed
play_four() {
    game=$1 turn=s
    shift
    ply=1
    for move in "$@"; do
        body="{\"ply\":$ply,\"move\":\"$move\"}"
        call POST "/v1/games/$game/moves" "$(cat "seat.$turn")" "$body" >last
        jq -c 'select(.eliminations != []) | {ply: .move.ply, seat: .move.seat, move: .move.move,
            eliminations, turn: .game.turn}' last
        ply=$((ply + 1)) turn=$(jq -r .game.turn last)
    done
}

echo '$ # two anonymous devices'
echo "\$ curl -X POST $origin/v1/devices -H '$json' -d '{\"name\":\"Akiko\"}'"
akiko=$(register Akiko)
boris=$(register Boris)
chen=$(register Chen)
echo '  (the token is shown once)'

echo "\$ curl -X POST $origin/v1/tickets -H 'Authorization: Bearer …' -H '$json' -d '{\"pool\":\"hasami\"}'"
game=$(match "$akiko" "$boris")
whole=$game
echo "  matched: $game"

echo "\$ curl -X POST $origin/v1/games/$game/moves … -d '{\"ply\":1,\"move\":\"1i1b\"}'"
# A whole game: 10 plies, five men captured.
play "$game" "$akiko" "$boris" 1i1b 9a9b 9i9h 8a9a 8i9i 9a8a 1b1h 8a8i 2i1i 2a2i
jq -c '{ply: .move.ply, move: .move.move, captured: .move.captured, result: .game.result}' last

game=$(match "$boris" "$chen")
play "$game" "$boris" "$chen" 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a
echo '$ # twelve plies to and fro: a draw by repetition, replayed with seats swapped'
call GET "/v1/games/$game" '' | jq -c '{status, reason: .result.reason, draw: .result.draw, replayed_by}'
replay=$(call GET "/v1/games/$game" '' | jq -r .replayed_by)
call POST "/v1/games/$replay/resign" "$chen" >/dev/null

echo "\$ curl '$origin/v1/rankings/hasami?provisional=true'"
call GET '/v1/rankings/hasami?provisional=true' '' |
    jq -r '.items[] | "  \(.rank). \(.player.name)  \(.rating)  \(.wins)-\(.draws)-\(.losses)"'

sql() {
    printf '\n$ sqlite3 -readonly banzuke.db "%s"\n' "$1"
    sqlite3 -readonly -box banzuke.db "$1"
}
sql 'SELECT players, winners, end_reason, plies, rating_status FROM game_summary'
sql 'SELECT name, sentence FROM rating_explanation ORDER BY name, sentence'
sql "SELECT ply, name, move, captured FROM move_list WHERE game_id = '$whole' LIMIT 5"


printf '\n$ # four-player shogi: four devices, everybody alone\n'
echo "\$ curl -X POST $origin/v1/tickets -H 'Authorization: Bearer …' -H '$json' -d '{\"pool\":\"yonin\"}'   # each of them"
game=$(four "$(register Emiko)" "$(register Fumio)" "$(register Goran)" "$(register Hanna)")
echo "  matched: $game, seats drawn by lot"
echo '$ # a whole game: 25 plies, two mates'
play_four "$game" 7i7h 9f8g 5c5d 1g2g 7h6g 9c8b 5d5e 2g1h 6i7h 9g8h 7a8b 1h2i 7h8g 8h7g 'S*9b' 2i3i \
    'G*9f' 8b9c 3i4i 5i4i 3a2b 'S*3h' 4i3i 9c8d 'G*2i'
echo "\$ curl $origin/v1/games/$game"
call GET "/v1/games/$game" '' | jq -r '.result as $result | range(4) as $i | $result.ratings[$i] |
    "  \(.seat)  place \($result.ranks[$i])  \(.before) -> \(.after)  (\(.delta))"'
echo "\$ curl '$origin/v1/rankings/yonin?provisional=true'"
call GET '/v1/rankings/yonin?provisional=true' '' |
    jq -r '.items[] | "  \(.rank). \(.player.name)  \(.rating)  places \(.places | join("-"))"'
sql "SELECT players, places, winners, end_reason, plies FROM game_summary WHERE pool = 'yonin'"
sql "SELECT seat, place, delta, sentence FROM rating_explanation WHERE seat = 's' ORDER BY score"
printf '\n$ banzuke record %s --board --ply 17\n' "$game"
"$banzuke" record "$game" --board --ply 17
kill -TERM "$pid" && wait "$pid"
printf '\n$ banzuke verify\n'
"$banzuke" verify
