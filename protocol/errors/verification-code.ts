/**
 * Shown by the server and by the screen for a wrong code. Separate from the other shared messages, because the login
 * entry needs only this one.
 */
export const invalidVerificationCode = 'Invalid or expired verification code'
