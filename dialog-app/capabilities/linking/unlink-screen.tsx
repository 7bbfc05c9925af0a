import type { ErrorCode, LoginMethod } from '@latchkey/protocol'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { nameOfAccount } from './name-of-account.ts'
import { type Texts as LinkingTexts, texts } from './texts.arb'

export type UnlinkState = {
  readonly method: LoginMethod
  readonly provider: string | undefined
  /** The user knows the account by this. */
  readonly name: string | undefined
  readonly isUnlinking: boolean
  /** The last try did not do it for this reason. */
  readonly problem: ErrorCode | undefined
}
export type UnlinkEvents = { readonly unlink: readonly []; readonly keep: readonly [] }

export function UnlinkScreen({ state, send }: PartProps<UnlinkState, UnlinkEvents>) {
  const words = useTexts(texts)
  const { unlink } = words
  const { method, provider, name, isUnlinking, problem } = state
  return (
    <Stack>
      <Heading>
        <Title>{unlink.title({ account: nameOfAccount(words, method, provider) })}</Title>
        <Lead>
          {unlink.detail} <bdi>{name ?? unlink.unnamed}</bdi>
        </Lead>
      </Heading>
      {problem !== undefined && <Banner kind="danger">{unlink.problems[rowFor(problems, problem)]}</Banner>}
      <Stack>
        <Button kind="danger" busy={isUnlinking && unlink.unlinking} onPress={() => send('unlink')}>
          {unlink.unlink}
        </Button>
        <Button kind="quiet" onPress={() => send('keep')}>
          {unlink.keep}
        </Button>
      </Stack>
    </Stack>
  )
}

/** UNLINK_SCREEN says one of these of an account that stays linked. */
export const problems: ErrorTable<keyof LinkingTexts['unlink']['problems']> = {
  byCode: {
    cannot_unlink_sole_account: 'soleAccount',
    missing_or_invalid_mfa: 'enrolledInMfa',
  },
  other: 'other',
}
