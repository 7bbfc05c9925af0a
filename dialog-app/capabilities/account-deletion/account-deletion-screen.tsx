/** Deletes the account: the user reads the consequences, confirms them by typing, and approves the deletion. */
import { findEmbeddedWallet, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import { useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useHeader } from '../../app/screen-options.ts'
import type { ConfirmationHandlers, ShownApproval } from '../../approval/confirmed.ts'
import { requestAction } from '../../approval/confirmed-action.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { ApprovalStep } from '../../approval/step/approval-step.tsx'
import { useApproval } from '../../approval/step/use-approval.ts'
import { type VerificationProblem, verificationProblem } from '../../approval/verification-problem.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import type { Language } from '../../i18n/languages.ts'
import { Button } from '../../ui/button.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { TextField } from '../../ui/fields/lazy/text-field.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Heading, Stack, StepCount } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { deleteAccount, getApprovingAddress } from './delete-account.ts'
import { texts } from './texts.arb'

export type DeletionProblem = VerificationProblem | 'other'
/** `stopped`: the approval failed, and nothing was deleted. */
type DeletionStatus = 'reading' | 'review' | 'deleting' | 'stopped' | 'deleted'

type Props = ScreenProps<undefined, { user: UserRecord; ports: CapabilityPorts }>

export function AccountDeletionScreen({ user, ports, screen }: Props) {
  const { handle } = useDialog()
  const [status, setStatus] = useState<DeletionStatus>('reading')
  const [problem, setProblem] = useState<DeletionProblem>()
  const approval = useApproval((card, onShown) =>
    requestAction(
      ports,
      { card, address: getApprovingAddress(user), action: { method: 'delete-account', params: [] } },
      onShown,
    ),
  )
  const isFinal = status === 'deleting' || status === 'deleted'
  useHeader({ back: !isFinal, close: !isFinal })

  async function approveAndDelete(): Promise<void> {
    setStatus('review')
    const confirmed = await approval.request().catch(stop)
    if (!confirmed) return
    setStatus('deleting')
    try {
      await deleteAccount(ports, handle, confirmed)
    } catch (error) {
      if (handle.signal.aborted) return
      setProblem(toDeletionProblem(error))
      return approveAndDelete()
    }
    setProblem(undefined)
    setStatus('deleted')
  }

  function stop(error: unknown): undefined {
    if (isRefusal(error)) return void screen.leave()
    setProblem(toDeletionProblem(error))
    setStatus('stopped')
  }

  return (
    <AccountDeletionView
      email={user.linkedAccounts.find((account) => account.type === 'email')?.address}
      hasWallet={findEmbeddedWallet(user) !== undefined || findEmbeddedWallet(user, 'solana') !== undefined}
      status={status}
      problem={problem}
      approval={approval.shown}
      handlers={approval.handlers}
      onContinue={() => void approveAndDelete()}
      onKeep={screen.leave}
      onLeave={() => void ports.session.logout().catch(() => {})}
    />
  )
}
const toDeletionProblem = (error: unknown): DeletionProblem =>
  verificationProblem(toLatchkeyError(error, 'error', 'The account was not deleted')) ?? 'other'

export type AccountDeletionViewProps = {
  /** The user types this to continue. Without an address, they type a word. */
  email: string | undefined
  hasWallet: boolean
  status: DeletionStatus
  problem: DeletionProblem | undefined
  approval: ShownApproval
  handlers: ConfirmationHandlers
  onContinue: () => void
  onKeep: () => void
  onLeave: () => void
}

export function AccountDeletionView(props: AccountDeletionViewProps) {
  switch (props.status) {
    case 'reading':
      return <Reading {...props} />
    case 'deleted':
      return <Deleted {...props} />
    case 'review':
    case 'deleting':
    case 'stopped':
      return <Review {...props} />
    default:
      return props.status satisfies never
  }
}

/** The steps are the consequences and the approval. */
const stepCount = 2

type ReadingProps = Pick<AccountDeletionViewProps, 'email' | 'hasWallet' | 'onContinue' | 'onKeep'>

function Reading({ email, hasWallet, onContinue, onKeep }: ReadingProps) {
  const { reading, steps, keep } = useTexts(texts)
  const language = useLanguage()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const confirmationText = email ?? reading.word
  const go = () => (isTyped(confirmationText, typed, language) ? onContinue() : setWrong(true))
  return (
    <Stack>
      <Heading>
        <StepCount>{steps({ at: 1, of: stepCount })}</StepCount>
        <Title>{reading.title}</Title>
        <Lead>{reading.detail}</Lead>
      </Heading>
      {hasWallet && (
        <Banner kind="warning">
          {reading.wallet} {reading.first}
        </Banner>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <TextField
          label={reading.label({ wanted: confirmationText })}
          value={typed}
          onChange={(value) => {
            setWrong(false)
            setTyped(value)
          }}
          problem={isWrong ? reading.wrong : undefined}
        />
      </form>
      <Button onPress={go}>{reading.go}</Button>
      <Button kind="quiet" onPress={onKeep}>
        {keep}
      </Button>
    </Stack>
  )
}

function Review(props: AccountDeletionViewProps) {
  const { hasWallet, status, problem, approval, handlers, onContinue, onKeep } = props
  const { review, steps, keep, problems } = useTexts(texts)
  const isDeleting = status === 'deleting'
  const keepButton = (
    <Button kind="quiet" onPress={onKeep}>
      {keep}
    </Button>
  )
  return (
    <Stack>
      <Heading>
        <StepCount>{steps({ at: 2, of: stepCount })}</StepCount>
        <Title>{review.title}</Title>
        <Lead>{hasWallet ? review.wallet : review.detail}</Lead>
      </Heading>
      {problem && !isDeleting && (
        <Banner kind={problem === 'canceled' ? 'info' : 'danger'}>{problems[problem]}</Banner>
      )}
      {status === 'stopped' ? (
        <>
          <Button onPress={onContinue}>{review.again}</Button>
          {keepButton}
        </>
      ) : (
        <ApprovalStep
          shown={isDeleting ? { by: 'given' } : approval}
          handlers={handlers}
          busy={isDeleting && review.deleting}
          isDanger
          other={!isDeleting && keepButton}
        >
          {review.go}
        </ApprovalStep>
      )}
    </Stack>
  )
}

function Deleted({ onLeave }: Pick<AccountDeletionViewProps, 'onLeave'>) {
  const { deleted } = useTexts(texts)
  return (
    <Success title={deleted.title} detail={deleted.detail}>
      <Button onPress={onLeave}>{deleted.done}</Button>
    </Success>
  )
}

/**
 * Ignores case and surrounding spaces, which phone keyboards add. In Turkish, the word has the lower case of its language
 * (`İ` and `i`), but an e-mail address that of English (`I` and `i`).
 */
export const isTyped = (confirmationText: string, typed: string, language: Language): boolean =>
  ['en', language].some(
    (locale) => typed.trim().toLocaleLowerCase(locale) === confirmationText.toLocaleLowerCase(locale),
  )
