import {
  type ErrorCode,
  getLoginMethod,
  type LoginMethod,
  toLatchkeyError,
  type UserRecord,
} from '@latchkey/protocol'
import { useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useChanges } from '../../app/use-changes.ts'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'
import type { ShownMethods } from '../../contract/login.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Choice } from '../../shell/lazy/choice.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { type Texts as LinkingTexts, texts } from './texts.arb'

type Words = Pick<LinkingTexts, 'names' | 'ofApp'>

/** Returns the account's name for titles. The name of a provider is the same in every language. */
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

type UnlinkScreenProps = ScreenProps<
  UserRecord,
  Account & {
    unlink: () => Promise<UserRecord>
    /** Sets the code that the caller gets if the user leaves. */
    setProblem: (code: ErrorCode) => void
  }
>
type Account = {
  method: LoginMethod
  provider: string | undefined
  /** The name by which the user knows the account. */
  name: string | undefined
}

export function UnlinkScreen({ unlink, setProblem, screen, ...account }: UnlinkScreenProps) {
  const { handle } = useDialog()
  const [isUnlinking, setUnlinking] = useState(false)
  const [problem, setShownProblem] = useState<ErrorCode>()

  async function attempt() {
    setUnlinking(true)
    try {
      screen.resolve(await unlink())
    } catch (error) {
      if (handle.signal.aborted) return
      const { code } = toLatchkeyError(error, 'failed_to_link_account', 'The account could not be unlinked')
      setProblem(code)
      setShownProblem(code)
      setUnlinking(false)
    }
  }

  return (
    <UnlinkView
      {...account}
      isUnlinking={isUnlinking}
      problem={problem}
      onUnlink={() => void attempt()}
      onKeep={screen.leave}
    />
  )
}

export type UnlinkViewProps = Account & {
  isUnlinking: boolean
  /** The reason why the last attempt failed. */
  problem: ErrorCode | undefined
  onUnlink: () => void
  onKeep: () => void
}

export function UnlinkView({
  method,
  provider,
  name,
  isUnlinking,
  problem,
  onUnlink,
  onKeep,
}: UnlinkViewProps) {
  const words = useTexts(texts)
  const { unlink } = words
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
        <Button kind="danger" busy={isUnlinking && unlink.unlinking} onPress={onUnlink}>
          {unlink.unlink}
        </Button>
        <Button kind="quiet" onPress={onKeep}>
          {unlink.keep}
        </Button>
      </Stack>
    </Stack>
  )
}

/** The texts of UNLINK_SCREEN for an account that stays linked. */
export const problems: ErrorTable<keyof LinkingTexts['unlink']['problems']> = {
  byCode: {
    cannot_unlink_sole_account: 'soleAccount',
    missing_or_invalid_mfa: 'enrolledInMfa',
  },
  other: 'other',
}
