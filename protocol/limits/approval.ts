/** Rules for a valid approval in the frame. */
export const approvalLimits = {
  /** How long the card must be fully visible, still and readable. */
  seenMs: 700,
  /** How long a pointer that was already there must rest on the button, or the button must have the focus. */
  restMs: 500,
  /** How long a pointer that moved onto the button must rest there. Users press 80 to 400 ms after arriving. */
  travelledMs: 120,
  /** Pointer moves outside the button that count as moving onto it. */
  travelMoves: 3,
  /** Visibility samples are a random time apart, between these two, so that a cover cannot avoid them. */
  shortestLookMs: 20,
  longestLookMs: 60,
  /** Older samples are ignored. */
  lookLastsMs: 500,
  /** How far the frame may move while a pointer is over it, in screen pixels. */
  framePlacePx: 4,
  /** Below these, the card is unreadable. Browser zoom at 67 % still works; at 50 % nothing can be approved. */
  leastPixelRatio: 0.6,
  leastZoom: 0.6,
  leastCardWidthPx: 280,
  leastCardHeightPx: 200,
  /** A wallet page inside the dialog is narrower than its card and fits its content's height. */
  leastFramedPageWidthPx: 240,
  leastFramedPageHeightPx: 120,
  /** Maximum screen pixels per CSS pixel, apart from browser zoom. */
  mostScreenScale: 4,
  /** Maximum zoom: browser zoom times pinch zoom. */
  mostZoom: 25,
} as const
