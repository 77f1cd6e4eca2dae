"""The lab: a local web page on which a person watches the algorithms of the notes run (web/), and the server behind it.

server       a socket on 127.0.0.1, a token, the browser; `open_lab` starts it, `serve` runs it
app          which address leads where; nothing else. Limits on who may ask, and on what, are those of `serve`
sessions     what is kept for a page in memory: bounded in number, size and age
calls        the names of the calls, one line for each; warm runs some of them before anybody asks
wanted       reading what a page asks for

datasets     load, open and pick: a table in memory, and two of its columns as points
proof        whether points can be separated, for sets that the page does not decide; bench: these points, checked
mail_file    learning from a person's own mail (mail_model, mail_texts), whose model the page then uses
builtin      digits and mail for the page itself, which then needs no server for them; export: the page in one file
"""
