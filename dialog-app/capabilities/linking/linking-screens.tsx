import { type ErrorCode, getLoginMethod, type LoginMethod } from '@latchkey/protocol'
import { useChanges } from '../../app/use-changes.ts'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'
import type { ShownMethods } from '../../contract/login.ts'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Choice } from '../../shell/lazy/choice.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { type Texts as LinkingTexts, texts } from './texts.arb'

type Words = Pick<LinkingTexts, 'names' | 'ofApp'>

/** Titles call an account of this method so. The name of a provider is the same in every language. */
export function nameOfAccount({ names, ofApp }: Words, method: LoginMethod, provider = ''): string {
  const words: Readonly<Record<string, string>> = names
  return words[method] ?? ofApp({ app: getLoginMethod(method).title ?? provider })
}

export type LinkScreenProps = {
  method: LoginMethod
  /** The name of the provider, for an account without a word in the texts. */
  provider: string | undefined
  /** The entry of the method, or the wallets to choose from. */
  methods: ShownMethods
  /** The account that the new one replaces. */
  replaced: string | undefined
  /** The user has the account already, and the page requests access to it again. */
  isAgain: boolean
}

export function LinkScreen({ method, provider, methods, replaced, isAgain }: LinkScreenProps) {
  useChanges(methods)
  const words = useTexts(texts)
  const { link, again, update } = words
  const { title, detail } = isAgain ? again : link
  return (
    <Choice
      title={
        replaced === undefined ? title({ account: nameOfAccount(words, method, provider) }) : update.title
      }
      entries={methods.entries()}
    >
      {replaced === undefined ? (
        detail
      ) : (
        <>
          {update.present} <bdi>{replaced}</bdi>
        </>
      )}
    </Choice>
  )
}

export type UnlinkState = {
  method: LoginMethod
  provider: string | undefined
  /** The user knows the account by this. */
  name: string | undefined
  isUnlinking: boolean
  /** The last try did not do it for this reason. */
  problem: ErrorCode | undefined
}
export type UnlinkEvents = { unlink: readonly []; keep: readonly [] }

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
