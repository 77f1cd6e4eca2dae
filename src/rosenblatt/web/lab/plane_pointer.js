// Points by mouse, pen or finger: a click on free ground adds one, a drag moves one, a click on one picks it.

import { fineness, snapped, windowOf, within } from "./window.js";

const REACH = 16; // pixels on the screen within which a point is meant
const REACH_FINGER = 24;

export function makePointer(plane, lab) {
  const { picture, state } = plane;
  let drag = null;
  let swallowed = false; // the click that ends a drag adds no point

  const place = (event) => {
    const matrix = plane.sheets[0].getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { at: [x, y], zoom: matrix.a };
  };

  const nearest = (event) => {
    const { at, zoom } = place(event);
    let [best, found] = [(event.pointerType === "touch" ? REACH_FINGER : REACH) / zoom, -1];
    state.data.points.forEach((point, i) => {
      const [x, y] = plane.frame.at(point);
      const far = Math.hypot(x - at[0], y - at[1]);
      if (far <= best) [best, found] = [far, i];
    });
    return found;
  };

  const meant = (event) => {
    const [x, y] = plane.frame.under(place(event).at);
    const { frame } = plane;
    return [snapped(within(frame.x, x), fineness(frame.x)), snapped(within(frame.y, y), fineness(frame.y))];
  };

  const inFrame = (event) => {
    const [x, y] = plane.frame.under(place(event).at);
    const { frame } = plane;
    return x >= frame.x.low && x <= frame.x.high && y >= frame.y.low && y <= frame.y.high;
  };

  picture.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    swallowed = false;
    const index = nearest(event);
    if (index < 0) return;
    drag = { index, moved: false, from: [event.clientX, event.clientY] };
    picture.setPointerCapture(event.pointerId);
    state.pick(index);
  });

  picture.addEventListener("pointermove", (event) => {
    if (!drag) return void picture.classList.toggle("over", event.pointerType === "mouse" && nearest(event) >= 0);
    if (!drag.moved && Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < 3) return;
    state.holdWindow(windowOf(plane.frame));
    state.movePoint(drag.index, meant(event), drag.moved);
    drag.moved = true;
  });

  const end = () => {
    if (!drag) return;
    swallowed = true;
    if (drag.moved) lab.say(`Point ${drag.index + 1} moved to (${state.data.points[drag.index].join(", ")}).`);
    drag = null;
  };
  picture.addEventListener("pointerup", end);
  picture.addEventListener("pointercancel", end);

  // A finger on a point drags it; elsewhere it scrolls the page.
  picture.addEventListener(
    "touchstart",
    (event) => {
      const touch = event.touches[0];
      if (nearest({ clientX: touch.clientX, clientY: touch.clientY, pointerType: "touch" }) >= 0)
        event.preventDefault();
    },
    { passive: false },
  );

  picture.addEventListener("click", (event) => {
    if (swallowed || !inFrame(event)) return;
    plane.add(meant(event));
  });
}
