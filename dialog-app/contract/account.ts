/** Entries of the account screen. */
import type { UserRecord } from '@latchkey/protocol'
import type { Catalogue } from '@latchkey/protocol/texts'
import type { ReactNode } from 'react'
import type { ScreenStack } from '../app/screen.ts'
import type { Settings } from '../host/settings.ts'

export type AccountEntry = {
  isHere: (settings: Settings, user: UserRecord) => boolean
  /** Loads the row when the account screen opens. */
  load: () => Promise<AccountRowEntry>
}

export type AccountRowProps = { user: UserRecord; onOpen: () => void }
export type AccountRowEntry = {
  texts: Catalogue<unknown>
  Row: (props: AccountRowProps) => ReactNode
  /** Opens the entry above the account screen. */
  open: (screens: ScreenStack, user: UserRecord) => Promise<unknown>
}
