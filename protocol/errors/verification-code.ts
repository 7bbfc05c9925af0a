/** Said of a wrong code by the server, and on the screen; by itself, since what begins a login says no other text of both. */
export const invalidVerificationCode = 'Invalid or expired verification code'
