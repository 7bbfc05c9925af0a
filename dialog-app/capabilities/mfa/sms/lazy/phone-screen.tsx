/** Asks for the phone number of a new method, and sends it a code. */
import { LatchkeyError } from '@latchkey/protocol'
import { useState } from 'react'
import { useDialog } from '../../../../app/context.ts'
import { useLanguage, useTexts } from '../../../../i18n/context.tsx'
import { PhoneField } from '../../../../ui/fields/phone/phone-field.tsx'
import { defaultCountry, type PhoneValue } from '../../../../ui/fields/phone/phone-value.ts'
import { Banner } from '../../../../ui/lazy/banner.tsx'
import { Heading, Stack, StepCount } from '../../../../ui/stack.tsx'
import { Lead, Title } from '../../../../ui/title.tsx'
import { type EnrolmentProps, stepCount } from '../../enrol/enrolment.ts'
import { type EnrolProblem, enrolProblemOf, isOwnChoice } from '../../problem.ts'
import { enrolCodeScreen } from '../../screens.ts'
import { texts } from '../../texts.arb'

export function PhoneScreen({ enrolment, screen }: EnrolmentProps) {
  const { handle, isInFront, screens, services } = useDialog()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<EnrolProblem>()

  async function submit({ isValid, qualifiedPhoneNumber: phoneNumber }: PhoneValue) {
    if (!isValid || isSending || !isInFront()) return
    setSending(true)
    setProblem(undefined)
    try {
      await enrolment.change.beginSms(phoneNumber, handle)
    } catch (error) {
      return setProblem(toProblem(error))
    } finally {
      setSending(false)
    }
    if (await screens.open(enrolCodeScreen, { enrolment, phoneNumber })) screen.resolve('added')
  }

  return (
    <PhoneView
      isSending={isSending}
      initial={undefined}
      country={services.settings().config.intl?.defaultCountry}
      problem={problem}
      onSubmit={(value) => void submit(value)}
    />
  )
}

/** Another tab may have linked the number to the account. */
const toProblem = (error: unknown): EnrolProblem =>
  error instanceof LatchkeyError && error.code === 'not_supported' ? 'smsIsLogin' : enrolProblemOf(error)

export type PhoneViewProps = {
  isSending: boolean
  initial: PhoneValue | undefined
  /** The host's default country. */
  country: string | undefined
  problem: EnrolProblem | undefined
  onSubmit: (value: PhoneValue) => void
}

export function PhoneView({ isSending, initial, country, problem, onSubmit }: PhoneViewProps) {
  const { sms, steps, problems, enrolProblems } = useTexts(texts)
  const language = useLanguage()
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
        initial={initial}
        busy={isSending}
        focused
        onSubmit={onSubmit}
      />
    </Stack>
  )
}
