/** The page of a confirmation. */
import { confirmationPage, subjects } from './capabilities/confirm-page.ts'
import { startTopPage } from './top-page.ts'

startTopPage(({ name, ...page }) =>
  confirmationPage({ ...page, subjects, fetch: (...call) => fetch(...call) }, name),
)
