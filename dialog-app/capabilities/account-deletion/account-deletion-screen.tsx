import { useState } from 'react'
import type { ConfirmedEvents, ShownApproval } from '../../approval/confirmed.ts'
import { ApprovalStep } from '../../approval/step/approval-step.tsx'
import type { VerificationProblem } from '../../approval/verification-problem.ts'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { TextField } from '../../ui/fields/lazy/text-field.tsx'
import { Heading, Stack, StepCount } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type DeletionProblem = VerificationProblem | 'other'
export type AccountDeletionState = {
  /** The user types this to go on; without an address, they type a word. */
  email: string | undefined
  hasWallet: boolean
} & (
  | { status: 'reading' | 'deleting' | 'deleted' }
  | {
      status: 'review'
      approval: ShownApproval
      problem: DeletionProblem | undefined
    }
  /** It was not approved, so nothing of it was done. */
  | { status: 'stopped'; problem: DeletionProblem | undefined }
)
export type AccountDeletionEvents = ConfirmedEvents & {
  go: readonly []
  keep: readonly []
  leave: readonly []
}
type Props = PartProps<AccountDeletionState, AccountDeletionEvents>

/** The steps are to read what is lost, and to approve it. */
const stepCount = 2

export function AccountDeletionScreen({ state, send }: Props) {
  switch (state.status) {
    case 'reading':
      return <Reading state={state} send={send} />
    case 'deleted':
      return <Deleted send={send} />
    case 'review':
    case 'deleting':
    case 'stopped':
      return <Review state={state} send={send} />
    default:
      return state satisfies never
  }
}

function Reading({ state: { email, hasWallet }, send }: Props) {
  const { reading, steps, keep } = useTexts(texts)
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const wanted = email ?? reading.word
  const go = () => (isTyped(wanted, typed) ? send('go') : setWrong(true))
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
          label={reading.label({ wanted })}
          value={typed}
          onChange={(value) => {
            setWrong(false)
            setTyped(value)
          }}
          problem={isWrong ? reading.wrong : undefined}
        />
      </form>
      <Button onPress={go}>{reading.go}</Button>
      <Button kind="quiet" onPress={() => send('keep')}>
        {keep}
      </Button>
    </Stack>
  )
}

function Review({ state, send }: Props) {
  const { review, steps, keep, problems } = useTexts(texts)
  const { status, hasWallet } = state
  const problem = status === 'review' || status === 'stopped' ? state.problem : undefined
  const keepButton = (
    <Button kind="quiet" onPress={() => send('keep')}>
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
      {problem && <Banner kind={problem === 'canceled' ? 'info' : 'danger'}>{problems[problem]}</Banner>}
      {status === 'stopped' ? (
        <>
          <Button onPress={() => send('go')}>{review.again}</Button>
          {keepButton}
        </>
      ) : (
        <ApprovalStep
          shown={status === 'review' ? state.approval : { by: 'given' }}
          send={send}
          busy={status === 'deleting' && review.deleting}
          isDanger
          other={status !== 'deleting' && keepButton}
        >
          {review.go}
        </ApprovalStep>
      )}
    </Stack>
  )
}

function Deleted({ send }: Pick<Props, 'send'>) {
  const { deleted } = useTexts(texts)
  return (
    <Success title={deleted.title} detail={deleted.detail}>
      <Button onPress={() => send('leave')}>{deleted.done}</Button>
    </Success>
  )
}

/** Keyboards of phones begin with a capital, and add a space: neither counts. */
export const isTyped = (wanted: string, typed: string): boolean =>
  typed.trim().toLowerCase() === wanted.toLowerCase()
