"""What rosenblatt promises under faults, load and bad input: one module for each row of docs/faults.md.

Every module has NUMBER, FAULT and PROMISE (the row in words), SHORT and FULL (how many cases the tests and
`make faults` run), FOUND (the defects it found, and where they were mended) and `run(cases, seed)`.
"""
