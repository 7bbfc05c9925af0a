/** Layout limits, loaded with the screens that need them. */
export const screenLimits = {
  mobileBreakpointPx: 440,
  cardBreakpointPx: 441,
  optionListMaxHeightPx: 400,
  logoMaxWidthPx: 180,
  logoMaxHeightPx: 90,
  primaryOptionsMax: 5,
  primaryOptionsWithOverflow: 4,
  web2EntriesMax: 4,
  web2EntriesShown: 3,
  web3WalletsMax: 4,
  web3WalletsShown: 3,
  defaultCountry: 'US',
  maskedPhoneDigits: 4,
} as const
