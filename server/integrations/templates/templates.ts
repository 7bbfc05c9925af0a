/** The operator's words of mails and texts. */
export {
  findTemplate,
  listTemplates,
  messageLocales,
  removeTemplate,
  type StoredTemplate,
  storeTemplate,
} from './store.ts'
export { assertTemplate, fillHtml, fillText } from './template.ts'
