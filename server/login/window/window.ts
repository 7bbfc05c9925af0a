/**
 * A login in a separate window: on a click, the dialog opens one of our pages with a handle that it created, and the
 * page redirects to the third party. Only the browser that was redirected can return the result, and only the dialog
 * with the handle's secret receives it.
 */
export {
  goingTo,
  type HtmlAnswer,
  type WindowText,
  windowCookie,
  windowFile,
  windowHeaders,
  windowLanguage,
  windowPage,
  windowPolicy,
} from './page.ts'
export { browserHash, createChallenge, randomSecret, seal, unseal } from './secrets.ts'
export { beginDeparture, beginWindow, findDeparture, prove, wasSentOn } from './start.ts'
export { startPages } from './start-pages.ts'
export {
  answerWindow,
  findWindow,
  findWindows,
  type LoginWindow,
  type Taker,
  takeWindow,
  useAnswer,
  windowId,
} from './store.ts'
