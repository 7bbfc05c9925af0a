/**
 * Whatever the dialog loads when it needs it is here before the first test: what a test counts are turns of the dialog
 * itself, and a file that is read and compiled on the way takes any number of them on a busy machine.
 */
const parts = import.meta.glob([
  '../{api,approval,capabilities,contract,flow,host,i18n,phone-app,session,theme,wallet}/**/*.{ts,tsx}',
  '!**/*.test.*',
  '!**/*.test-d.*',
  '!**/gallery*',
  '!**/testing/**',
])
await Promise.all(Object.values(parts).map((load) => load()))
