/**
 * Loads all lazy parts of the dialog before the first test. Tests count turns of the event loop, and reading and compiling
 * a file takes any number of turns on a busy machine.
 */
const parts = import.meta.glob([
  '../{api,approval,capabilities,contract,flow,host,i18n,phone-app,session,theme,wallet}/**/*.{ts,tsx}',
  '!**/*.test.*',
  '!**/*.test-d.*',
  '!**/gallery*',
  '!**/testing/**',
])
await Promise.all(Object.values(parts).map((load) => load()))
