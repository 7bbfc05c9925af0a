import { useState } from 'react'
import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { PasswordField } from './password-field.tsx'
import { texts } from './texts.ts'

export type RecoveryProblem =
  | { readonly type: 'wrong-password' }
  | { readonly type: 'failed' }
  | { readonly type: 'locked'; readonly minutes: number }
export type PasswordRecoveryState = {
  readonly status: 'asking' | 'recovering'
  readonly problem?: RecoveryProblem
}
export type PasswordRecoveryEvents = { readonly recover: readonly [password: string] }

export function PasswordRecoveryScreen({
  state,
  send,
}: PartProps<PasswordRecoveryState, PasswordRecoveryEvents>) {
  const { recover } = useTexts(texts)
  const [password, setPassword] = useState('')
  const [told, setTold] = useState<RecoveryProblem>()
  const { status, problem } = state
  const words = useProblemWords(problem === told ? undefined : problem)
  const submit = () => {
    if (password !== '' && status === 'asking') send('recover', password)
  }
  return (
    <Stack>
      <Heading>
        <Title>{recover.title}</Title>
        <Lead>{recover.detail}</Lead>
      </Heading>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <PasswordField
          label={recover.label}
          autoComplete="current-password"
          value={password}
          problem={words}
          readOnly={status === 'recovering'}
          onChange={(typed) => {
            setPassword(typed)
            // What was said is of what was typed before.
            setTold(problem)
          }}
        />
        <input type="submit" hidden />
      </form>
      <Button
        disabled={password === ''}
        busy={status === 'recovering' && recover.recovering}
        onPress={submit}
      >
        {recover.recover}
      </Button>
    </Stack>
  )
}

function useProblemWords(problem: RecoveryProblem | undefined): string | undefined {
  const { problems, recover } = useTexts(texts)
  switch (problem?.type) {
    case 'wrong-password':
      return problems.wrongPassword
    case 'failed':
      return problems.recoveryFailed
    case 'locked':
      return recover.locked(problem.minutes)
    case undefined:
      return undefined
    default:
      return problem satisfies never
  }
}
