/** What every screen of an approval says of its button, and of the page that may stand in for it. */
export const approvalEnglish = {
  arming: 'The button can be pressed when this card was fully visible for a moment.',
  armed: 'The button can be pressed now.',
  again: 'Press again to confirm',
  covered: 'Something covers this card, so it cannot be approved. Close what lies over it.',
  unreadable:
    'This card is too small to be read, so it cannot be approved. Make the window larger, or set its zoom to 100%.',
  toPage: 'Continue to confirm',
  preparingPage: 'Preparing',
  opened: {
    title: 'Confirm on the page that opened',
    detail: 'This card goes on by itself as soon as you decide there.',
    blocked: 'If you see no such page, your browser may have blocked it. Open it here.',
    again: 'Open again',
    cancel: 'Cancel',
  },
  /** Why it is not approved on the card. */
  pageFor: {
    beyond_allowance:
      'This is worth more than may be approved here today. You confirm it on a page of its own.',
    too_often: 'This was approved here as often as it may be today. You confirm it on a page of its own.',
    allowance_or_permit: 'This lets somebody take what is yours. You confirm it on a page of its own.',
    not_understood: 'It cannot be said what this does. You confirm it on a page of its own.',
    no_price: 'It is not known what this is worth. You confirm it on a page of its own.',
    browser: 'You confirm this on a page of its own, where nothing can lie over it.',
  },
} as const
