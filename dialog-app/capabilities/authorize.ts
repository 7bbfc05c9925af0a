/** The door to the page of an authorization, for whoever starts that page: nobody else loads it. */
export { authorizationPage, type PageOfAuthorization } from './authorize/page.ts'
