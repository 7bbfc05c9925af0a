import type { MfaMethodType } from '@latchkey/protocol'
import type { ApprovalEvents } from '../../../core/approval.ts'
import type { Gate } from '../../../core/gate.ts'
import type { PartProps } from '../../../core/screen.ts'
import { useApprovalSenses } from '../../../face/approval-senses.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { ApproveButton } from '../../../ui/approve-button.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { texts } from '../texts.ts'
import type { EnrolProblem } from './problem.ts'

export type RemovalState = {
  readonly method: MfaMethodType
  /** No other is left when it is gone. */
  readonly isLast: boolean
} & (
  | { readonly status: 'review'; readonly gate: Gate; readonly problem: EnrolProblem | undefined }
  | { readonly status: 'removing' }
  /** It can not be approved in this browser. */
  | { readonly status: 'refused' }
)
export type RemovalEvents = ApprovalEvents & { readonly keep: readonly [] }

type Props = PartProps<RemovalState, RemovalEvents>
const given: Gate = { state: 'armed', sinceMs: 0, asks: false }

export function RemovalScreen({ state, send }: Props) {
  const { remove, problems, enrolProblems } = useTexts(texts)
  const { method, isLast, status } = state
  const problem = status === 'review' ? state.problem : undefined
  return (
    <Stack>
      <Heading>
        <Title>{remove.titles[method]}</Title>
        <Lead>
          {remove.details[method]} {isLast && remove.last}
        </Lead>
      </Heading>
      {problem && <Banner kind="danger">{{ ...problems, ...enrolProblems }[problem]}</Banner>}
      {status === 'refused' ? (
        <Banner kind="warning">{remove.refused}</Banner>
      ) : (
        <Approve
          gate={status === 'review' ? state.gate : given}
          isRemoving={status === 'removing'}
          send={send}
        />
      )}
      {status !== 'removing' && (
        <Button kind="quiet" onPress={() => send('keep')}>
          {remove.keep}
        </Button>
      )}
    </Stack>
  )
}

type ApproveProps = { readonly gate: Gate; readonly isRemoving: boolean; readonly send: Props['send'] }

function Approve({ gate, isRemoving, send }: ApproveProps) {
  const { remove, approve } = useTexts(texts)
  const button = useApprovalSenses((noticed) => send('notice', noticed))
  return (
    <ApproveButton ref={button} gate={gate} busy={isRemoving && remove.removing} words={approve}>
      {remove.remove}
    </ApproveButton>
  )
}
