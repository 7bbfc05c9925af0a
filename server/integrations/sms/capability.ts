import { type Capability, port } from '../../kernel/capability.ts'
import { messagingOf, smsEnvironment } from './environment.ts'
import { smsTexter } from './texter.ts'
import { createTwilioVerifier } from './twilio.ts'
import { createTwilioTexter } from './twilio-messaging.ts'
import { smsVerifier } from './verifier.ts'

export const sms: Capability = {
  name: 'sms',
  environment: smsEnvironment,
  ports: [
    port(smsVerifier, ({ config }) => {
      const account = smsEnvironment.of(config).TWILIO_VERIFY_URL
      return { value: account && createTwilioVerifier(account) }
    }),
    port(smsTexter, ({ config }) => {
      const messaging = messagingOf(config)
      return { value: messaging && createTwilioTexter(messaging) }
    }),
  ],
}
