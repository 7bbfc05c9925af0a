/** Of a verification that came to nothing: said by each capability whose calls want one. */
export const verificationProblemsEnglish = {
  maxAttempts:
    'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
  timeLimit: 'You have exceeded the time limit for code entry. Please try again in 30 seconds.',
  canceled: 'Verification canceled',
} as const
