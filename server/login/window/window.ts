/**
 * A login in a window of its own: the dialog opens a page of ours in its click, under a handle that it made, and the
 * page goes on to somebody else. Only the browser that was sent there may bring the answer back, and only the dialog
 * that has the secret of the handle is told it.
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
