import type { MfaMethodType } from '@latchkey/protocol'
import type { ConfirmedEvents, ShownApproval } from '../../../approval/confirmed.ts'
import { ApprovalStep } from '../../../approval/step/approval-step.tsx'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { type EnrolProblem, isOwnChoice } from '../problem.ts'
import { texts } from '../texts.arb'

export type RemovalState = {
  method: MfaMethodType
  /** The user has no other method when it is gone. */
  isLast: boolean
} & (
  | {
      status: 'review'
      approval: ShownApproval
      problem: EnrolProblem | undefined
    }
  | { status: 'removing' }
  /** It was not approved, so nothing of it was done. */
  | { status: 'stopped'; problem: EnrolProblem | undefined }
)
export type RemovalEvents = ConfirmedEvents & { again: readonly []; keep: readonly [] }

type Props = PartProps<RemovalState, RemovalEvents>

export function RemovalScreen({ state, send }: Props) {
  const { remove, problems, enrolProblems } = useTexts(texts)
  const { method, isLast, status } = state
  const problem = status === 'review' || status === 'stopped' ? state.problem : undefined
  const keep = (
    <Button kind="quiet" onPress={() => send('keep')}>
      {remove.keep}
    </Button>
  )
  return (
    <Stack>
      <Heading>
        <Title>{remove.titles[method]}</Title>
        <Lead>
          {remove.details[method]} {isLast && remove.last}
        </Lead>
      </Heading>
      {problem && (
        <Banner kind={isOwnChoice(problem) ? 'info' : 'danger'}>
          {{ ...problems, ...enrolProblems }[problem]}
        </Banner>
      )}
      {status === 'stopped' ? (
        <>
          <Button onPress={() => send('again')}>{remove.again}</Button>
          {keep}
        </>
      ) : (
        <ApprovalStep
          shown={status === 'review' ? state.approval : { by: 'given' }}
          send={send}
          busy={status === 'removing' && remove.removing}
          isDanger
          other={status !== 'removing' && keep}
        >
          {remove.remove}
        </ApprovalStep>
      )}
    </Stack>
  )
}
