"""A model behind an address: JSON in, JSON out; and what this server and that of the lab have in common.

connections  uvicorn's protocol with a deadline for every request and a limit on connections; by h11, which is always
             there, or by httptools (quick_connections)
guard        who may ask: Host, Origin, token; and the headers of every answer
bodies       what a request carries, with limits; JSON without surprises
work         calls run in a few threads, one at a time for each session
listening    the socket, and uvicorn as both servers set it up

questions    what a request asks of the model, and the answer as plain values
together     texts that arrive at the same time are answered by one look at the model
app          which address leads where
server       a model file, its address, and an end that finishes what has begun
"""
