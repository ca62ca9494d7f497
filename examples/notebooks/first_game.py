# %% [markdown]
# # Play and analyse a game in ten minutes
#
# This notebook plays a short game of Gobblet Gobblers, asks the engine about it, and finds the mistakes.
# It needs nestline without any extra.

# %%
from nestline import Game, Position

game = Game("gobblers")
game

# %% [markdown]
# Moves are short texts. `3b2` takes a piece of size 3, the largest, from the reserve and puts it on b2; `a1c3` would move the
# piece on a1 to c3. `legal_moves` lists what the player to move can do.

# %%
for move in ("3b2", "3a1", "2c3", "2c1"):
    game.play(move)
game

# %%
len(game.position.legal_moves())

# %% [markdown]
# A move that breaks a rule raises an error that names the rule, and leaves the game as it was.

# %%
from nestline import IllegalMove

try:
    game.play("1b2")
except IllegalMove as refusal:
    print(refusal)

# %% [markdown]
# ## Ask the engine
#
# `Engine.think` searches until one of its limits is reached. With a seed and a limit on nodes the answer is always the
# same. `plies_to_win` is not None if the engine has found a forced win.

# %%
from nestline.engine import Engine, Limits

report = Engine("gobblers", seed=1, tables=False).think(game, Limits(nodes=20_000))
print("best move:", report.move, "· forced win in", report.plies_to_win, "plies")

# %% [markdown]
# Play it out: the engine plays for the side to move, and a random player for the other.

# %%
from nestline.engine import make_player

careless = make_player("random", seed=3)
while not game.outcome:
    mover = Engine("gobblers", seed=1, tables=False).think(game, Limits(nodes=20_000)).move
    game.play(mover)
    if not game.outcome:
        game.play(careless.choose(game))
print(game.explain())
game

# %% [markdown]
# ## Find the mistakes
#
# `review_game` goes through a game and judges every move, with the tablebase of a solved game or, as here, with an engine.
# `??` marks a blunder, `?` a mistake, and `?!` an inaccuracy.

# %%
from nestline.engine import review_game

engine = Engine("gobblers", seed=1, tables=False)
for reviewed in review_game(game.to_record(), engine, Limits(nodes=3_000)):
    print(reviewed.number, reviewed.side.name.lower(), reviewed.move, reviewed.mark)

# %% [markdown]
# ## Keep the game
#
# A record is text, like PGN in chess. `nestline analyse game.txt` reviews a saved one in the terminal, and “Paste” on the
# study page opens it in the browser.

# %%
print(game.to_record())

# %% [markdown]
# Any position can be looked at by itself:

# %%
Position("x3/x,b1w3,x/w2,x2 b", rules="gobblers")
