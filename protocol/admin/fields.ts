/** Fields that several calls share. */
import * as v from 'valibot'
import { adminLimits } from './limits.ts'

/** ISO 8601 in UTC. */
export const time = v.string()
export const inputTime = v.pipe(v.string(), v.isoTimestamp())

export const limitInQuery = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,2}$/),
  v.transform(Number),
  v.maxValue(adminLimits.mostPerPage),
)
