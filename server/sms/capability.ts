import { type Capability, port } from '../capability.ts'
import { smsEnvironment } from './environment.ts'
import { createTwilioVerifier } from './twilio.ts'
import { smsVerifier } from './verifier.ts'

export const sms: Capability = {
  name: 'sms',
  environment: smsEnvironment,
  ports: [
    port(smsVerifier, ({ config }) => {
      const account = smsEnvironment.of(config).TWILIO_VERIFY_URL
      return { value: account && createTwilioVerifier(account) }
    }),
  ],
}
