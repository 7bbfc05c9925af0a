import type { PartProps } from '../../../../flow/screen.ts'
import { useLanguage, useTexts } from '../../../../i18n/context.tsx'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import { PhoneField } from '../../../../ui/fields/phone/phone-field.tsx'
import { defaultCountry, type PhoneValue } from '../../../../ui/fields/phone/phone-value.ts'
import { Heading, Stack, StepCount } from '../../../../ui/stack.tsx'
import { Lead, Title } from '../../../../ui/title.tsx'
import { stepCount } from '../../method-change.ts'
import { type EnrolProblem, isOwnChoice } from '../../problem.ts'
import { texts } from '../../texts.arb'

export type PhoneState = {
  status: 'ready' | 'sending'
  /** The number that was sent a code stands there after going back. */
  given: PhoneValue | undefined
  /** The host wants to begin with this one. */
  country: string | undefined
  problem: EnrolProblem | undefined
}
export type PhoneEvents = { submit: readonly [value: PhoneValue] }

export function PhoneScreen({ state, send }: PartProps<PhoneState, PhoneEvents>) {
  const { sms, steps, problems, enrolProblems } = useTexts(texts)
  const language = useLanguage()
  const { status, given, country, problem } = state
  return (
    <Stack>
      <Heading>
        <StepCount>{steps({ at: 1, of: stepCount })}</StepCount>
        <Title>{sms.title}</Title>
        <Lead>{sms.detail}</Lead>
      </Heading>
      {problem && (
        <Banner kind={isOwnChoice(problem) ? 'info' : 'danger'}>
          {{ ...problems, ...enrolProblems }[problem]}
        </Banner>
      )}
      <PhoneField
        texts={sms}
        language={language}
        country={defaultCountry(country)}
        initial={given}
        busy={status === 'sending'}
        focused
        onSubmit={(value) => send('submit', value)}
      />
    </Stack>
  )
}
