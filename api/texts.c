#include "texts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* English, then Spanish. Numbers that the rules of rating know are # here. */

/* clang-format off */
static const struct text texts[] = {
    {TEXT_GAME, NULL, "hasami", {"Hasami Shogi", "Hasami Shogi"},
     {"Two players with nine men each: enclose the rival's men between two of yours to take them.",
      "Dos jugadores con nueve peones cada uno: encierra piezas rivales entre dos tuyas y "
      "captúralas."}},
    {TEXT_SEAT, "hasami", "b", {"First player", "Primer jugador"},
     {"Starts on rank i, shown as P, and moves first.",
      "Empieza en la fila i, se escribe P y mueve primero."}},
    {TEXT_SEAT, "hasami", "w", {"Second player", "Segundo jugador"},
     {"Starts on rank a, shown as p.", "Empieza en la fila a, se escribe p."}},

    {TEXT_OPTION, "hasami", "win_condition", {"Win condition", "Condición de victoria"},
     {"Which captures win the game.", "Elige qué condición permite ganar."}},
    {TEXT_VALUE, "hasami", "win_condition=capture_5", {"Capture 5", "Capturar 5"},
     {"Taking five of the rival's men wins, however many of yours were taken.",
      "Permite ganar al capturar 5 piezas rivales, sin importar cuántas te hayan capturado."}},
    {TEXT_VALUE, "hasami", "win_condition=lead_3", {"Lead of 3", "Ventaja de 3"},
     {"Having taken three more than the rival wins at once; men lost can be made up for.",
      "Permite ganar cuando has capturado 3 más que tu rival: si te capturan, puedes recuperar la "
      "ventaja."}},
    {TEXT_VALUE, "hasami", "win_condition=capture_all", {"Capture all", "Capturar todas"},
     {"The game goes on until all nine men of one side are taken; the longest way to play.",
      "Continúa hasta capturar las 9 piezas rivales y es la modalidad más larga."}},
    {TEXT_OPTION, NULL, "move_limit", {"Move limit", "Límite de movimientos"},
     {"After this many moves of all players together the game is a draw; 0 sets no limit of its "
      "own. Served games end at the maximum in any case.",
      "La partida termina en empate al llegar a esta cantidad de movimientos, sumados los de todos; "
      "0 no pone límite propio. Las partidas del servicio terminan en todo caso en el máximo."}},
    {TEXT_POOL, NULL, "hasami", {"Hasami Shogi", "Hasami Shogi"},
     {"Rated games of two by the default rules.",
      "Partidas clasificatorias de dos con las reglas iniciales."}},

    {TEXT_GAME, NULL, "yonin", {"Four-player shogi", "Shogi de cuatro jugadores"},
     {"Four players with nine pieces each, alone or in pairs: who is in check answers at once, and "
      "who mates takes over the mated player's pieces.",
      "Cuatro jugadores con nueve piezas cada uno, individual o por parejas: quien recibe jaque "
      "responde al momento y quien da mate se queda con las piezas del eliminado."}},
    {TEXT_SEAT, "yonin", "s", {"South", "Sur"},
     {"Starts on rank i, faces rank a and moves first.",
      "Empieza en la fila i, mira hacia la fila a y mueve primero."}},
    {TEXT_SEAT, "yonin", "w", {"West", "Oeste"},
     {"Starts on file 9, faces file 1; the next clockwise after South.",
      "Empieza en la columna 9, mira hacia la columna 1; sigue a Sur en sentido horario."}},
    {TEXT_SEAT, "yonin", "n", {"North", "Norte"},
     {"Starts on rank a, faces rank i; opposite South, whose partner it is in pairs.",
      "Empieza en la fila a, mira hacia la fila i; enfrente de Sur, su pareja cuando se juega por "
      "parejas."}},
    {TEXT_SEAT, "yonin", "e", {"East", "Este"},
     {"Starts on file 1, faces file 9; opposite West, whose partner it is in pairs.",
      "Empieza en la columna 1, mira hacia la columna 9; enfrente de Oeste, su pareja cuando se "
      "juega por parejas."}},

    {TEXT_OPTION, "yonin", "format", {"Format", "Formato"},
     {"Everybody alone, or the opposite seats as a pair.",
      "Cada cual por su cuenta o los asientos opuestos como pareja."}},
    {TEXT_VALUE, "yonin", "format=individual", {"Individual", "Individual"},
     {"The other three are rivals; anybody may be mated.",
      "Los otros tres son rivales y se puede dar mate a cualquiera."}},
    {TEXT_VALUE, "yonin", "format=pairs", {"Pairs", "Parejas"},
     {"A pair loses as soon as one of them is mated; nobody may give their partner a new check.",
      "Una pareja pierde en cuanto uno de los dos recibe mate; nadie puede dar un jaque nuevo a su "
      "pareja."}},
    {TEXT_OPTION, "yonin", "ending", {"End of the game", "Final de la partida"},
     {"When a game of four alone ends; in pairs the first mate ends it.",
      "Cuándo termina una partida individual; por parejas acaba con el primer mate."}},
    {TEXT_VALUE, "yonin", "ending=two_mates", {"Two mates", "Dos mates"},
     {"With two players mated the other two are compared by mates, pieces and the later mate.",
      "Con dos jugadores eliminados se comparan los otros dos por mates, piezas y el mate más "
      "tardío."}},
    {TEXT_VALUE, "yonin", "ending=last_survivor", {"Last survivor", "Último en pie"},
     {"The game goes on until one player is left, who wins.",
      "Se juega hasta que queda un solo jugador, que gana."}},
    {TEXT_OPTION, "yonin", "orphaned_pieces",
     {"A mated player's pieces", "Piezas del eliminado"},
     {"Whose the pieces left on the board are; those in hand go to whoever gave mate.",
      "De quién son las que quedan en el tablero; las de la mano van a quien dio mate."}},
    {TEXT_VALUE, "yonin", "orphaned_pieces=to_mater", {"Whoever mated", "Quien dio mate"},
     {"They change owner and go on facing as they did.",
      "Cambian de dueño y siguen mirando hacia donde miraban."}},
    {TEXT_VALUE, "yonin", "orphaned_pieces=ownerless", {"Nobody", "Nadie"},
     {"They stay where they are, and anybody may capture them.",
      "Se quedan donde están y cualquiera puede capturarlas."}},
    {TEXT_OPTION, "yonin", "move_limit", {"Move limit", "Límite de movimientos"},
     {"After this many moves of all players together the places are decided, in pairs by a draw; 0 "
      "sets no limit of its own. Served games end at the maximum in any case.",
      "Al llegar a esta cantidad de movimientos, sumados los de todos, se deciden los puestos (por "
      "parejas, empate); 0 no pone límite propio. Las partidas del servicio terminan en todo caso "
      "en el máximo."}},
    {TEXT_POOL, NULL, "yonin", {"Four-player shogi", "Shogi de cuatro jugadores"},
     {"Rated games of four, everybody alone, by the default rules.",
      "Partidas clasificatorias de cuatro, individuales, con las reglas iniciales."}},
    {TEXT_POOL, NULL, "yonin_pairs",
     {"Four-player shogi in pairs", "Shogi de cuatro jugadores por parejas"},
     {"Rated games of two pairs by the default rules.",
      "Partidas clasificatorias de dos parejas con las reglas iniciales."}},

    {TEXT_END, "yonin", "mates", {"Two mates", "Dos mates"},
     {"Two players are mated; the other two are ranked by mates, pieces and the later mate.",
      "Dos jugadores han recibido mate; los otros dos se ordenan por mates, piezas y el mate más "
      "tardío."}},
    {TEXT_END, "yonin", "last_survivor", {"Last survivor", "Último en pie"},
     {"Everybody but the winner is mated.", "Todos menos quien gana han recibido mate."}},
    {TEXT_END, "yonin", "team_mate", {"Mate of a pair", "Mate a una pareja"},
     {"A player is mated, and with them their pair has lost.",
      "Un jugador ha recibido mate y con él pierde su pareja."}},
    {TEXT_END, "yonin", "repetition", {"Repetition", "Repetición"},
     {"The same position came for the fourth time: places by mates and pieces; in pairs a draw, and "
      "the game is played again.",
      "La misma posición ha aparecido 4 veces: puestos por mates y piezas; por parejas, empate, y "
      "se vuelve a jugar."}},
    {TEXT_END, "yonin", "move_limit", {"Move limit", "Límite de movimientos"},
     {"The limit of moves was reached: places by mates and pieces; in pairs a draw.",
      "Se ha llegado al límite de movimientos: puestos por mates y piezas; por parejas, empate."}},

    {TEXT_END, "hasami", "capture", {"Captures", "Capturas"},
     {"The winner has taken as many men as the win condition asks for.",
      "Quien gana ha capturado las piezas que pide la condición de victoria."}},
    {TEXT_END, "hasami", "immobile", {"No move left", "Sin movimientos"},
     {"The player to move has no man that can move, and loses at once.",
      "Quien debe mover no tiene ninguna pieza que pueda mover y pierde inmediatamente."}},
    {TEXT_END, NULL, "resign", {"Resignation", "Rendición"},
     {"A player gave up.", "Un jugador se ha rendido."}},
    {TEXT_END, "hasami", "repetition", {"Repetition", "Repetición"},
     {"The same position came for the fourth time: a draw, and the game is played again.",
      "La misma posición ha aparecido 4 veces: empate, y se vuelve a jugar."}},
    {TEXT_END, NULL, "move_limit", {"Move limit", "Límite de movimientos"},
     {"The limit of moves was reached: a draw.",
      "Se ha llegado al límite de movimientos: empate."}},

    /* The English sentences are the rules' own (illegal_reason_detail). */
    {TEXT_ILLEGAL, NULL, "syntax", {NULL, NULL},
     {NULL, "El texto no es un movimiento en la notación de este juego."}},
    {TEXT_ILLEGAL, NULL, "off-board", {NULL, NULL},
     {NULL, "Una casilla del movimiento no está en el tablero."}},
    {TEXT_ILLEGAL, NULL, "no-piece", {NULL, NULL},
     {NULL, "La casilla de salida está vacía."}},
    {TEXT_ILLEGAL, NULL, "not-your-piece", {NULL, NULL},
     {NULL, "No puedes mover la pieza de esa casilla."}},
    {TEXT_ILLEGAL, NULL, "no-move", {NULL, NULL},
     {NULL, "El movimiento termina donde empieza; no se puede pasar."}},
    {TEXT_ILLEGAL, NULL, "bad-geometry", {NULL, NULL},
     {NULL, "La pieza no se mueve de esa manera."}},
    {TEXT_ILLEGAL, NULL, "own-piece", {NULL, NULL},
     {NULL, "Hay una pieza tuya en la casilla de llegada."}},
    {TEXT_ILLEGAL, NULL, "occupied", {NULL, NULL},
     {NULL, "Hay una pieza de otro en la casilla de llegada y no se puede capturar."}},
    {TEXT_ILLEGAL, NULL, "blocked", {NULL, NULL},
     {NULL, "Hay una pieza en el camino; no se puede saltar."}},
    {TEXT_ILLEGAL, NULL, "partner-piece", {NULL, NULL},
     {NULL, "No se pueden capturar las piezas de tu pareja."}},
    {TEXT_ILLEGAL, NULL, "king-not-capturable", {NULL, NULL},
     {NULL, "Un rey nunca se captura."}},
    {TEXT_ILLEGAL, NULL, "not-in-hand", {NULL, NULL},
     {NULL, "No tienes esa pieza en la mano."}},
    {TEXT_ILLEGAL, NULL, "must-promote", {NULL, NULL},
     {NULL, "Sin promover, la pieza no podría volver a moverse."}},
    {TEXT_ILLEGAL, NULL, "cannot-promote", {NULL, NULL},
     {NULL, "La pieza no puede promover con este movimiento."}},
    {TEXT_ILLEGAL, NULL, "dead-pawn", {NULL, NULL},
     {NULL, "Un peón reingresado ahí no podría moverse."}},
    {TEXT_ILLEGAL, NULL, "nifu", {NULL, NULL},
     {NULL, "Ya tienes un peón sin promover en esa columna."}},
    {TEXT_ILLEGAL, NULL, "pawn-before-inverted-king", {NULL, NULL},
     {NULL, "No se puede reingresar un peón delante de un rey invertido."}},
    {TEXT_ILLEGAL, NULL, "leaves-king-in-check", {NULL, NULL},
     {NULL, "Tu rey quedaría en jaque."}},
    {TEXT_ILLEGAL, NULL, "checks-partner", {NULL, NULL},
     {NULL, "El movimiento daría un jaque nuevo a tu pareja."}},
    {TEXT_ILLEGAL, NULL, "pawn-drop-mate", {NULL, NULL},
     {NULL, "No se puede dar mate reingresando un peón."}},
    {TEXT_ILLEGAL, NULL, "perpetual-check", {NULL, NULL},
     {NULL, "Quien da jaque continuo no puede repetir otra vez la posición."}},

    {TEXT_TABLE, NULL, "turn_seconds", {"Time per turn", "Tiempo por turno"},
     {"Seconds for every turn; 0 is no turn time.",
      "Segundos para cada turno; 0 es sin tiempo por turno."}},
    {TEXT_TABLE, NULL, "show_legal_moves", {"Show legal moves", "Mostrar los movimientos legales"},
     {"Whether the server tells which moves are legal.",
      "Si el servidor dice qué movimientos son legales."}},
    {TEXT_TABLE, NULL, "rotate_first", {"The start goes round", "La salida va rotando"},
     {"Whether the next game begins one seat further on.",
      "Si la siguiente partida empieza un asiento más allá."}},
    {TEXT_TABLE, NULL, "rated", {"Rated", "Clasificatoria"},
     {"Whether games count for the rating; that needs a public table with a turn time, default "
      "rules and people only.",
      "Si las partidas cuentan para la clasificación; requiere una mesa pública con tiempo por "
      "turno, reglas iniciales y solo personas."}},
    {TEXT_TABLE, NULL, "public", {"Public", "Pública"},
     {"Whether everybody may look and join.", "Si cualquiera puede mirar y unirse."}},

    {TEXT_UNRATED, NULL, "cpu_seat", {NULL, NULL},
     {"A seat belongs to the computer.", "Un asiento es de la CPU."}},
    {TEXT_UNRATED, NULL, "local_rules", {NULL, NULL},
     {"The rules are not the default ones of a pool.",
      "Las reglas no son las iniciales de una clasificación."}},
    {TEXT_UNRATED, NULL, "no_clock", {NULL, NULL},
     {"There is no time per turn.", "No hay tiempo por turno."}},
    {TEXT_UNRATED, NULL, "repeat_limit", {NULL, NULL},
     {"The same players have already had their rated games of the last hours.",
      "Los mismos jugadores ya han tenido sus partidas clasificatorias de las últimas horas."}},
    {TEXT_UNRATED, NULL, "casual", {NULL, NULL},
     {"Nobody asked for it to be rated.", "Nadie pidió que fuera clasificatoria."}},
    {TEXT_UNRATED, NULL, "repeat_draw", {NULL, NULL},
     {"A draw by repetition after the rated ones of its chain of replays.",
      "Un empate por repetición posterior a los que cuentan en su cadena de repeticiones."}},
    {TEXT_UNRATED, NULL, "no_show", {NULL, NULL},
     {"A player never came to the board.", "Un jugador no se presentó."}},
    {TEXT_UNRATED, NULL, "void", {NULL, NULL},
     {"An operator has taken the result back.", "La administración ha anulado el resultado."}},

    {TEXT_RATING, NULL, "scale", {"Scale", "Escala"},
     {"Everybody starts with # points in every pool, and nobody falls below #.",
      "Todos empiezan con # puntos en cada clasificación y nadie baja de #."}},
    {TEXT_RATING, NULL, "formula", {"Formula", "Fórmula"},
     {"Against every opponent the score (S) is compared with the expected one (E); the difference "
      "times K, divided by the number of opponents, is what is gained or lost. Of a pair the mean "
      "of both ratings counts. At # points of difference ten wins to one loss are expected.",
      "Frente a cada rival se compara la puntuación (S) con la esperada (E); la diferencia por K, "
      "dividida entre el número de rivales, es lo que se gana o se pierde. De una pareja cuenta la "
      "media de las dos puntuaciones. Con # puntos de diferencia se esperan diez victorias por cada "
      "derrota."}},
    {TEXT_RATING, NULL, "k_provisional", {NULL, NULL},
     {"With fewer than # rated games in the pool K is #.",
      "Con menos de # partidas clasificatorias K es #."}},
    {TEXT_RATING, NULL, "k_strong", {NULL, NULL},
     {"From # points on K is #.", "A partir de # puntos K es #."}},
    {TEXT_RATING, NULL, "k_normal", {NULL, NULL},
     {"For everybody else K is #.", "Para los demás K es #."}},
    {TEXT_RATING, NULL, "provisional", {"Provisional", "Provisional"},
     {"Who has fewer than # rated games in a pool is not in its ranking yet.",
      "Quien tiene menos de # partidas clasificatorias aún no figura en la clasificación."}},
    {TEXT_RATING, NULL, "leaving", {"Leaving", "Abandono"},
     {"Nobody gains by leaving: whose seat the computer had at the end, or for more than # moves, "
      "can lose points but not win any.",
      "Nadie gana por irse: si la CPU tenía tu asiento al final, o hizo más de # movimientos, "
      "puedes perder puntos pero no ganarlos."}},
    {TEXT_RATING, NULL, "repeat_limit", {"The same players", "Los mismos jugadores"},
     {"The same set of players has at most # rated games in # hours; further ones do not count.",
      "Los mismos jugadores tienen como mucho # partidas clasificatorias en # horas; las demás no "
      "cuentan."}},
    {TEXT_RATING, NULL, "repetition", {"Repetition", "Repetición"},
     {"A draw by repetition counts half for each and is played again. Of a chain of such draws the "
      "first # count, and after # the game is not played again.",
      "El empate por repetición vale medio punto para cada uno y se vuelve a jugar. De una cadena "
      "de empates cuentan los # primeros, y tras # no se vuelve a jugar."}},
    {TEXT_RATING, NULL, "void", {"Taken back", "Anulación"},
     {"An operator can take a result back: everybody gets back what it gave or took, later games "
      "stay as they are.",
      "La administración puede anular un resultado: se deshace lo que dio o quitó a cada uno, y las "
      "partidas posteriores quedan como están."}},
};
/* clang-format on */

size_t texts_count(void)
{
    return sizeof texts / sizeof texts[0];
}

const struct text *texts_at(size_t index)
{
    assert(index < texts_count());
    return &texts[index];
}

/* A game's own word comes before the one of all games. */
const struct text *texts_find(enum text_kind kind, const char *game, const char *key)
{
    const struct text *found = NULL;
    for (size_t i = 0; i < texts_count(); i++) {
        const struct text *text = &texts[i];
        if (text->kind != kind || strcmp(text->key, key) != 0) {
            continue;
        }
        if (text->game == NULL) {
            found = found == NULL ? text : found;
        } else if (game != NULL && strcmp(text->game, game) == 0) {
            found = text;
        }
    }
    assert(found != NULL);
    return found;
}

void texts_fill(const char *sentence, const int64_t *numbers, size_t count,
                char filled[TEXTS_FILLED])
{
    size_t used = 0;
    size_t next = 0;
    filled[0] = '\0';
    for (const char *at = sentence; *at != '\0';) {
        size_t plain = strcspn(at, "#");
        int length = snprintf(filled + used, TEXTS_FILLED - used, "%.*s", (int)plain, at);
        assert(length >= 0 && used + (size_t)length < TEXTS_FILLED);
        used += (size_t)length;
        at += plain;
        if (*at == '#') {
            assert(next < count);
            length = snprintf(filled + used, TEXTS_FILLED - used, "%" PRId64, numbers[next++]);
            assert(length > 0 && used + (size_t)length < TEXTS_FILLED);
            used += (size_t)length;
            at++;
        }
    }
    assert(next == count);
}
