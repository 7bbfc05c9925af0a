/** What Playwright disables itself, without its storage partitioning switch. */
const disabled = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'OptimizationHints',
]

/**
 * Chromium as people have it. Playwright switches storage partitioning off, with which frames would share what
 * they must not; the last `--disable-features` wins.
 */
export const asShipped = (...alsoDisabled: readonly string[]) => [
  `--disable-features=${[...disabled, ...alsoDisabled].join()}`,
]
