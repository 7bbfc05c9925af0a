/** The features that Playwright 1.65 disables, without `ThirdPartyStoragePartitioning`, which users have. */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/** The popup of the address bar, whose page Chromium loads in every new window. */
const omniboxPopup = 'WebUIOmniboxPopup'

/**
 * Returns Chromium arguments that keep storage partitioned, as it is for users. Playwright disables partitioning in a
 * `--disable-features` list of its own. Chromium obeys only the last such list, so this one repeats Playwright's other
 * entries.
 */
export const partitionedStorageArgs = (...moreDisabled: string[]) => [
  `--disable-features=${[...disabledByPlaywright, omniboxPopup, ...moreDisabled].join()}`,
]
