import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

export const webhookEnvironment = environmentPart(
  {
    WEBHOOKS_TO_THIS_MACHINE: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  },
  {
    WEBHOOKS_TO_THIS_MACHINE:
      '`true` sends webhooks to `localhost` and `127.0.0.1` too, also over plain HTTP. For development only ([Webhooks](../webhooks.md)).',
  },
)
