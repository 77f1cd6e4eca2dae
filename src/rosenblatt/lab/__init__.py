"""The lab: a local web page on which a person watches the algorithms of the notes run on the real engine.

server       a socket on 127.0.0.1, a token, the browser; `open_lab` starts it, `serve` runs it
connections  uvicorn's protocol with a deadline for every request and a limit on connections
guard        who may ask: Host, Origin, token; and the headers of every answer
app          which address leads where; nothing else
bodies       what a request carries, with limits; JSON without surprises
sessions     what is kept for a page in memory: bounded in number, size and age
work         calls run in a few threads, one at a time for each session
calls        the names of the calls, one line for each; warm runs some of them before anybody asks
wanted       reading what a page asks for; columns: long answers as bytes

bench        points and choices, checked; course: their run, with every kind of weights; words: sentences about it
proof        the call proof, for sets that the page does not decide itself;  datasets: load, open and pick
presets      points of the lessons;  takeaway: traces, Python, commands
xor, likelihood, bayes, digits, mail    the parts of the page below the bench
builtin      digits and mail for the page itself, which then needs no server for them
lessons      the call lesson: what the seven lessons lay on the bench, and every number that they speak of
"""
