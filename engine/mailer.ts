export { createMailer, type Mail, type Mailer } from '../activities/mailer.ts'
