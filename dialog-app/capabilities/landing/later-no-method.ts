/** What the developer hears where no method can be offered; the user is told no more than that. */
import { product } from '@latchkey/protocol'
import type { OfferedMethod } from '../../core/login.ts'
import type { Settings } from '../../core/settings.ts'

export function tellOfNoMethod({ app }: Settings, brought: readonly OfferedMethod[]): void {
  const methods = brought.map(({ method }) => method).join(', ')
  console.error(
    `${product.name}: app ${app.id} has none of the login methods on that this page asks for and this release has (${methods}). To turn one on: npm run app -- set ${app.id} email_auth=true`,
  )
}
