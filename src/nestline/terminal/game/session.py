"""The game in the terminal: shows the board, reads a line, carries it out, until the end.

Nothing typed can end it by mistake: whatever the game refuses is answered with one sentence. The
rules, and what players may see, are in `game`; the commands are in `typed_commands`.
"""

from contextlib import AbstractContextManager
from pathlib import Path

from nestline import notation
from nestline.engine.players.player import Player
from nestline.errors import GameError, IllegalMove, NestlineError, NotationError
from nestline.game import PLIES_WITHOUT_PEOPLE, Game
from nestline.position import Move, Side
from nestline.terminal.game.console import Console
from nestline.terminal.game.opponent import (
    accepts_draw,
    hint_for,
    leave_players,
    players_of,
    set_level,
)
from nestline.terminal.game.records import append_game, load_game, save_game
from nestline.terminal.game.screen import board_picture, stack_in_symbols
from nestline.terminal.game.spelling import move_examples, moves_page, spell, spell_move
from nestline.terminal.game.typed_commands import (
    Command,
    find_command,
    help_page,
    similar_command,
)
from nestline.terminal.width import screen_width

WHILE_OFFERED = ("accept", "decline", "help", "board", "save", "load", "new", "quit")
"""What can be done while a draw offer is pending."""


class Session:
    """A person, or two, or none, at the terminal with one game after another."""

    def __init__(self, console: Console, game: Game, seed: int | None = None) -> None:
        self.console = console
        self.seed = seed
        self._leaving = False
        self._players: dict[Side, Player] = {}
        self._take_up(game)
        self._attended = self._people > 0

    def run(self) -> None:
        """Play until somebody leaves, by `quit` or by the end of the input."""
        self._introduce()
        try:
            while not self._leaving:
                self._step()
        except EOFError:
            self.console.say()
        finally:
            leave_players(self._players)

    def _take_up(self, game: Game) -> None:
        # Making the players can fail, and then the previous game goes on.
        players = players_of(game, self.seed)
        leave_players(self._players)
        self.game, self._players = game, players
        if not self._people and game.ply_limit is None:
            game.ply_limit = game.ply + PLIES_WITHOUT_PEOPLE
        self._changed = True

    def _step(self) -> None:
        """The next event: the computer's move, or a line from a person."""
        game = self.game
        if self._changed:
            self._show_game()
        if not game.outcome and game.turn in self._players:
            self._let_computer_move()
        elif not self._attended:
            self._leaving = True
        else:
            self._obey(self.console.ask(self._prompt()))

    @property
    def _people(self) -> int:
        return 2 - len(self._players)

    @property
    def _name(self) -> str:
        return self.game.rules.players[self.game.turn]

    # Output.

    def _introduce(self) -> None:
        game, names = self.game, self.game.rules.players
        self.console.say()
        self.console.say(game.rules.title, bold=True)
        if self._people == 1:
            (side,) = self._players
            level = game.seats[side].level
            players = f"You are {names[side.other]}; the computer ({level}) is {names[side]}."
        elif self._people == 2:
            players = f"{names[0]} and {names[1]}: two people."
        else:
            levels = [game.seats[side].level for side in Side]
            players = f"The computer plays {names[0]} ({levels[0]}) and {names[1]} ({levels[1]})."
        if game.visibility != "open":
            players += " Covered pieces stay hidden until the end."
        if game.visibility == "peek":
            players += " Type peek SQUARE to look under your own piece."
        if self._people:
            players += " Type help to see what you can do."
        self.console.say(players)

    def _show_game(self) -> None:
        self._changed = False
        self.console.say()
        self.console.draw(board_picture(self.game, screen_width(), colour=not self.console.plain))
        self.console.say()
        if self.game.outcome:
            self._show_result()

    def _show_result(self) -> None:
        verdict = {"player won": "You won. ", "computer won": "The computer won. "}
        text = verdict.get(self.game.status, "") + spell(self.game.explain(), self.game.rules)
        self.console.say(text, bold=True)

    def _prompt(self) -> str:
        game = self.game
        if game.outcome:
            can_undo = game.can_undo and game.visibility == "open"
            return f"The game is over (new, {'undo, ' if can_undo else ''}save FILE, quit): "
        if game.draw_offer is not None:
            asking, asked = (game.rules.players[side]
                             for side in (game.draw_offer, game.draw_offer.other))  # fmt: skip
            return f"{asked}: {asking} offers a draw (accept, decline): "
        if game.touched:
            return f"{self._name} plays {spell(game.touched, game.rules)} to (a square, help): "
        placing, moving = move_examples(game.rules)
        return f"{self._name} to move ({placing}, {f'{moving}, ' if moving else ''}help): "

    def _complain(self, error: NestlineError) -> None:
        sentence = f"{str(error).rstrip('.')}."
        if isinstance(error, IllegalMove | NotationError | GameError):
            sentence = spell(sentence, self.game.rules)
        self.console.say(sentence, fg="yellow")

    def _waiting(self) -> AbstractContextManager[None]:
        return self.console.waiting("The computer is thinking …")

    # Actions.

    def _let_computer_move(self) -> None:
        game, player = self.game, self._players[self.game.turn]
        if remark := player.remark():
            self.console.say(remark, dim=True)
        with self._waiting():
            move = player.choose(game)
        name, spelled = self._name, spell_move(move, game.rules)
        game.play(move, by=game.turn)
        self._changed = True
        if self._people:
            self.console.say(f"The computer ({name}) plays {spelled}.", bold=True)
        else:
            self.console.say(f"Move {game.ply}: {name} plays {spelled}.", bold=True)

    def _obey(self, line: str) -> None:
        """Carry out a typed line, or say in a sentence why not."""
        if not line:
            return
        word, _, rest = line.partition(" ")
        command = find_command(word)
        try:
            if self.game.draw_offer is not None and (
                command is None or command.name not in WHILE_OFFERED
            ):
                raise GameError("a draw is offered; first type accept or decline")
            if command is None:
                self._play(line)
            else:
                self._execute(command, rest.strip())
        except NestlineError as error:
            self._complain(error)

    def _execute(self, command: Command, argument: str) -> None:
        if command.takes and not argument:
            raise NestlineError(f"{command.name} needs something after it: {command.usage}")
        if argument and not command.takes:
            raise NestlineError(f"{command.name} stands alone, without {argument[:40]!r}")
        action = getattr(self, f"_{command.name}")
        if command.takes:
            action(argument)
        else:
            action()

    def _play(self, text: str) -> None:
        game = self.game
        try:
            if game.touched and (target := _square_or_none(text, game)):
                game.land(target, by=game.turn)
            else:
                game.play(text, by=game.turn)
        except NotationError:
            if similar := similar_command(text.split()[0]):
                raise NotationError(
                    f"{text[:40]!r} is neither a move nor a command (did you mean {similar}?)"
                ) from None
            raise
        self._changed = True

    def _help(self) -> None:
        self.console.say(help_page(self.game))

    def _board(self) -> None:
        self._changed = True

    def _moves(self) -> None:
        if self.game.outcome:
            raise GameError("the game is over; there are no moves")
        self.console.say(moves_page(self.game))

    def _hint(self) -> None:
        if self.game.outcome:
            raise GameError("the game is over; there is nothing to advise")
        with self._waiting():
            hint = hint_for(self.game)
        self.console.say(hint)

    def _undo(self) -> None:
        game, before = self.game, self.game.copy()
        if refusal := game.secrecy_refusal(game.ply):
            raise GameError(refusal)
        game.undo(agreed=self._people == 2 and self._other_frees_the_piece())
        steps = 1
        while game.turn in self._players and game.can_undo:
            game.undo()
            steps += 1
        taken = before.moves[game.ply :]
        refusal = before.secrecy_refusal(game.ply)
        if game.turn in self._players:
            refusal = "there is nothing to take back"
        if refusal:
            for _ in range(steps):
                game.redo()
            raise GameError(refusal)
        self._changed = True
        self.console.say(f"Taken back: {self._listed(taken) or 'your last step'}.")

    def _other_frees_the_piece(self) -> bool:
        """Whether a piece is touched, and the other of two people agrees to release it."""
        game, last = self.game, self.game.last_move
        if game.touched:
            asking = game.turn
        elif game.touch_move and last and last.origin:
            asking = game.turn.other
        else:
            return False
        asks, asked = game.rules.players[asking], game.rules.players[asking.other]
        answer = self.console.ask(
            f"{asked}: {asks} has touched a piece and must play it, unless you let it be free. "
            "Do you (yes, no)? "
        )
        return answer.lower() in ("yes", "y")

    def _redo(self) -> None:
        game, before = self.game, self.game.ply
        game.redo()
        while game.turn in self._players and game.can_redo:
            game.redo()
        self._changed = True
        self.console.say(f"Played again: {self._listed(game.moves[before:]) or 'the last step'}.")

    def _listed(self, moves: tuple[Move, ...]) -> str:
        return ", ".join(spell_move(move, self.game.rules) for move in moves)

    def _peek(self, square: str) -> None:
        game = self.game
        stack = game.peek(game.turn, square)
        name = spell(notation.read_square(square, game.rules), game.rules)
        if len(stack) == 1:
            seen = f"Nothing lies under {name}."
        else:
            seen = f"{name}: {stack_in_symbols(stack, game.rules)}."
        if self._people == 2 and game.visibility == "peek":
            self.console.say_secretly(seen, "Press Enter to put the piece back: ")
        else:
            self.console.say(seen)

    def _touch(self, square: str) -> None:
        self.game.touch(square, by=self.game.turn)
        self._changed = self.game.outcome is not None

    def _draw(self) -> None:
        game = self.game
        game.offer_draw(game.turn)
        if self._people == 2:
            return
        other = game.turn.other
        with self._waiting():
            accepted = accepts_draw(game)
        if accepted:
            game.accept_draw(other)
            self.console.say("The computer accepts the draw.")
            self._changed = True
        else:
            game.decline_draw(other)
            self.console.say("The computer declines the draw.")

    def _accept(self) -> None:
        self.game.accept_draw(self.game.turn.other)
        self._changed = True

    def _decline(self) -> None:
        self.game.decline_draw(self.game.turn.other)
        self.console.say("The draw is declined.")

    def _resign(self) -> None:
        self.game.resign(self.game.turn)
        self._changed = True

    def _level(self, name: str) -> None:
        seats = self.game.seats
        set_level(self.game, name.lower())
        try:
            players = players_of(self.game, self.seed)
        except NestlineError:
            self.game.seats = seats
            raise
        leave_players(self._players)
        self._players = players
        self.console.say(f"The computer now plays at the level {name.lower()}.")

    def _save(self, name: str) -> None:
        path = save_game(self.game, name)
        remark = ""
        if self.game.visibility != "open" and not self.game.outcome:
            remark = " Its moves tell what lies covered; do not read it before the end."
        self.console.say(f"Saved as {path}.{remark}")

    def _append(self, name: str) -> None:
        self.console.say(f"Added to {append_game(self.game, name)}.")

    def _load(self, name: str) -> None:
        file, _, last = name.rpartition(" ")
        number = int(last) if file and last.isdecimal() and not Path(name).exists() else None
        loaded = load_game(
            name if number is None else file.strip(),
            number=number,
            rules=self.game.rules,
            seats=self.game.seats if self._players else None,
        )
        self._take_up(loaded.game)
        self._introduce()
        if loaded.of > 1:
            self.console.say(f"Game {number or loaded.of} of {loaded.of}.")

    def _new(self) -> None:
        self.game.reset()
        self._changed = True
        self._introduce()

    def _quit(self) -> None:
        self._leaving = True


def _square_or_none(text: str, game: Game) -> str | None:
    try:
        return notation.read_square(text, game.rules)
    except NotationError:
        return None
