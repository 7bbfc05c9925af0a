import { product } from '@latchkey/protocol'
import { counter } from '../../kernel/telemetry/instruments.ts'

export const hookQuestions = counter({
  name: `${product.key}.hook.questions`,
  unit: '{question}',
  description:
    'Questions to hooks by kind: `answered`, `failed`, or `skipped` because the hook failed several times before',
  attributes: ['kind', 'outcome'],
})
