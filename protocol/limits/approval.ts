/** When an approval in the frame may be given. */
export const approvalLimits = {
  /** How long the card must be seen whole, still and readable. */
  seenMs: 700,
  /** How long a pointer that was there already lies on the button, or the button has the focus. */
  restMs: 500,
  /** How long one lies there that travelled onto it: people press 80 to 400 ms after they came. */
  travelledMs: 120,
  /** So many moves from outside of the button make a way to it. */
  travelMoves: 3,
  /** Looks at the card are a random time apart, between these two, so that no cover can keep out of their way. */
  shortestLookMs: 20,
  longestLookMs: 60,
  /** A look that is older says nothing of the present. */
  lookLastsMs: 500,
  /** How far the frame may lie from where it was while a pointer is over it, in pixels of the screen. */
  framePlacePx: 4,
  /** Below these the card is too small to be read: the browser at 67 % still works, at 50 % nothing is approved. */
  leastPixelRatio: 0.6,
  leastZoom: 0.6,
  leastCardWidthPx: 280,
  leastCardHeightPx: 200,
  /** A wallet page inside the dialog is narrower than its card, and as high as its content. */
  leastFramedPageWidthPx: 240,
  leastFramedPageHeightPx: 120,
  /** No screen puts more of its pixels into one of the page's, beside the browser's zoom. */
  mostScreenScale: 4,
  /** The browser's zoom, and that of two fingers on top of it. */
  mostZoom: 25,
} as const
