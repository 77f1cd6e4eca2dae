// The calls that the page answers by itself: name -> function(body), which gives what the server gives for that name, or a
// promise of it. Anything else is asked of the server. A function that throws a Problem of status 501 passes the call on.

export const LOCAL = {};
