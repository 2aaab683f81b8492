import { masked, spokenName } from './names.ts'
import type { NoticeFacts, NoticeReason, Report, Revoked, Texts } from './shape.ts'

/** A number and its noun, such as `2 hours`. */
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const quoted = (text: string): string => (text ? ` “${text}”` : '')

const duration = (minutes: number) => (minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute'))

/** What was revoked, as a paragraph; none if nothing was. */
const revokedSentence = ({ sessions, application_passwords, exports }: Revoked): string[] => {
  const parts = [
    counted(sessions, 'session'),
    counted(application_passwords, 'application password'),
    counted(exports, 'data export'),
  ].filter((part) => !part.startsWith('0 '))
  return parts.length === 0 ? [] : [`Also revoked: ${parts.join(', ')}.`]
}

const accountFooter: Texts['accountFooter'] = ({ community, username }) =>
  `You received this email because of your account “${username}” at ${community}.`

/** The name of an application password, unless it could become a link or is a longer text. */
const nameOf = (name: string) => (spokenName(name) ? ` named “${spokenName(name)}”` : '')

const accountMails: Texts['accountMails'] = {
  resetPassword: (to) => ({
    subject: `Reset your password for ${to.community}`,
    title: 'Reset your password',
    intro: [
      `A password reset was requested for the account “${to.username}”. The link below works once, within ${duration(to.validMinutes)}.`,
      'If you did not request it, ignore this email. Your password stays unchanged.',
    ],
    button: 'Choose a new password',
  }),
  verifyEmail: (to) => ({
    subject: `Confirm your email address for ${to.community}`,
    title: 'Confirm your email address',
    intro: [
      `The account “${to.username}” was registered with this email address. The link below works once, within ${to.validHours} hours.`,
      'If you did not register, ignore this email. The account will be removed automatically.',
    ],
    button: 'Confirm email address',
  }),
  approvalRequested: (to) => ({
    subject: `New registration at ${to.community}`,
    title: 'New registration',
    intro: [`The account “${to.applicant}” was registered and is waiting for your approval.`],
    button: 'Review the registration',
  }),
  webhookDisabled: (to) => ({
    subject: `A webhook of ${to.community} was disabled`,
    title: 'A webhook was disabled',
    intro: [
      `All deliveries to the webhook “${to.webhook}” have failed for three days. Check its deliveries and enable it again when the problem is fixed.`,
    ],
    button: 'View webhooks',
  }),
  rejected: (to) => ({
    subject: `Your registration at ${to.community}`,
    title: 'Your registration was not approved',
    intro: [`The account “${to.username}” was not approved and was removed together with the data you entered.`],
    more: [to.reason].filter(Boolean),
    footer: `You received this email because this address was registered at ${to.community}.`,
  }),
  welcome: (to) => ({
    subject: `Welcome to ${to.community}`,
    title: `Welcome to ${to.community}`,
    intro: [
      to.approved ? `Your account “${to.username}” was approved. You can sign in now.` : `Your account “${to.username}” is ready.`,
      'Explore the spaces, follow other members and introduce yourself.',
    ],
    button: `Open ${to.community}`,
    footer: `${accountFooter(to)} If you did not register, you can ignore this email.`,
  }),
  accountDeleted: (to) => ({
    subject: `Your account at ${to.community} was deleted`,
    title: 'Your account was deleted',
    intro: [
      `The account “${to.username}” ${to.byAdmin ? 'was deleted by an administrator' : 'was deleted at your request'}. It can no longer be used, and your data is being removed.`,
      to.content === 'remove'
        ? 'Your feeds and comments are removed too.'
        : 'Your feeds and comments stay without your name, as those of a deleted member.',
      'Copies in backups of the community are removed when the backups are replaced. This is the last email to this address.',
    ],
  }),
  exportReady: (to) => ({
    subject: `Your data from ${to.community} is ready`,
    title: 'Your data is ready',
    intro: [
      `The data export of the account “${to.username}” is ready. Only you can download it, within ${to.validDays} days. You have to sign in first.`,
      'If neither you nor an administrator requested it, somebody else may know your password. Change it and check your application passwords.',
    ],
    button: 'Download data export',
  }),
  passwordChanged: (to) => ({
    subject: `Your password for ${to.community} was changed`,
    title: 'Your password was changed',
    intro: [
      `The password of the account “${to.username}” was changed.`,
      'If you changed it, ignore this email. Otherwise, reset your password now and check your application passwords.',
    ],
    more: to.revoked ? revokedSentence(to.revoked) : [],
    button: 'Reset my password',
  }),
  applicationPassword: (to) => ({
    subject: `A new application password for ${to.community}`,
    title: 'A new application password',
    intro: [
      `An application password${nameOf(to.name)} was created for the account “${to.username}” on ${to.at} UTC, ${
        to.from === null ? 'by the operator of the server' : `from the IP address ${to.from}`
      }. An application with this password can act on your behalf.`,
      'If you did not create it, revoke it now in your sign-in settings and change your password, which revokes all application passwords.',
    ],
    button: 'View application passwords',
  }),
  newAddress: (to) => ({
    subject: `Confirm your new email address for ${to.community}`,
    title: 'Confirm your new email address',
    intro: [
      `The account “${to.username}” requested to use this email address. The link below works once, within ${to.validHours} hours. The address changes when you open it.`,
      'If this is not your account, ignore this email and do not open the link.',
    ],
    button: 'Confirm email address',
  }),
  emailChanged: (to) => ({
    subject: `Your email address for ${to.community} was changed`,
    title: 'Your email address was changed',
    intro: [
      `The account “${to.username}” now has the address ${masked(to.newEmail)}. Emails are no longer sent to this one.`,
      to.validDays === undefined
        ? 'If you did not change it, contact an administrator of the community immediately: somebody else may know your password.'
        : 'If you did not change it, undo the change: somebody else may know your password.',
    ],
    more:
      to.validDays === undefined
        ? []
        : [
            `The link below works for ${to.validDays} days. It restores this address, ends all sessions, revokes all application passwords and lets you choose a new password.`,
          ],
    button: to.validDays === undefined ? `Open ${to.community}` : 'Undo the change',
  }),
  knownAddress: (to) => ({
    subject: `You already have an account at ${to.community}`,
    title: 'You already have an account',
    intro: [
      `This email address was entered for another account at ${to.community}, but it already belongs to the account “${to.username}”. Sign in with that account, or choose a new password if you have forgotten it.`,
      'If you did not do this, ignore this email.',
    ],
    button: 'Choose a new password',
  }),
  postDue: (to) => ({
    subject: `Time to publish your post at ${to.community}`,
    title: 'Your post is due',
    intro: [
      to.post ? `You planned to publish “${to.post}” at ${to.at} UTC.` : `You planned to publish a post at ${to.at} UTC.`,
      'It is not published by itself, as you wished: publish it when you are ready, or give it another time.',
    ],
    button: `Open ${to.community}`,
  }),
}

const OBJECTS: Readonly<Record<Report['object_type'], string>> = { feed: 'post', comment: 'comment', user: 'person' }

/** “Ana”, “Ana and 4 others”, “Ana and 99+ others”. */
const who = ({ name, count }: NoticeFacts): string => {
  if (count <= 1) return name
  const others = count >= 100 ? '99+' : String(count - 1)
  return `${name} and ${others} ${others === '1' ? 'other' : 'others'}`
}

const TITLES: Readonly<Record<NoticeFacts['type'], (facts: NoticeFacts) => string>> = {
  new_comment: (facts) => `${who(facts)} commented on your post${quoted(facts.feed)}`,
  new_reply: (facts) => `${who(facts)} replied to your comment${facts.feed && ` on${quoted(facts.feed)}`}`,
  new_reaction: (facts) =>
    `${who(facts)} reacted to your ${facts.of === 'comment' ? `comment${quoted(facts.comment)}` : `post${quoted(facts.feed)}`}`,
  mention: (facts) => {
    const { of, feed, everyone } = facts
    const post = feed ? `the post${quoted(feed)}` : 'a post'
    const place = of === 'comment' ? `a comment${feed && ` on${quoted(feed)}`}` : post
    return `${who(facts)} mentioned ${everyone ? 'everyone' : 'you'} in ${place}`
  },
  new_follower: (facts) => (facts.pending ? `${who(facts)} wants to follow you` : `${who(facts)} follows you`),
  space_invite: (facts) => `${who(facts)} added you to the space${quoted(facts.place)}`,
  space_join: (facts) => `${who(facts)} ${facts.pending ? 'asks to join' : 'joined'} the space${quoted(facts.place)}`,
  course_enrollment: (facts) => `${who(facts)} enrolled in${quoted(facts.place) || ' your course'}`,
  lesson_complete: (facts) => `${who(facts)} completed a lesson of${quoted(facts.place) || ' your course'}`,
  moderation: () => 'A message from the moderators',
}

const REASONS: Readonly<Record<NoticeReason, string>> = {
  new_comment: 'somebody answered what you wrote',
  new_reaction: 'somebody reacted to what you wrote',
  new_follower: 'somebody follows you or wants to',
  mention: 'somebody mentioned you',
  space_invite: 'somebody added you to a space',
  always: 'it concerns your account',
}

export const en: Texts = {
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  orOpen: 'Or open this address:',
  open: (community) => `Open ${community}`,
  accountFooter,
  accountMails,
  test: {
    subject: (community) => `Test email from ${community}`,
    title: 'Email works',
    paragraphs: (community, sentAt) => [
      `This is a test email from ${community}, sent at ${sentAt} UTC.`,
      'Check that it arrived in the inbox and not in the spam folder, and that the sender is correct.',
    ],
    footer: 'It was sent with “lyceum mail test” by somebody with access to the server.',
  },
  report: {
    title: ({ object_type, reason }) => `A ${OBJECTS[object_type]} was reported: ${reason.replaceAll('_', ' ')}`,
    text: 'Somebody has reported something to the moderators. It waits for a decision.',
    button: 'View the report',
    footer: (community) => `You get this mail because you deal with reports at ${community}.`,
  },
  notices: {
    settings: 'Notification settings',
    unsubscribe: 'Unsubscribe',
    title: (facts) => TITLES[facts.type](facts),
    buttons: {
      new_comment: 'Read the comment',
      new_reply: 'Read the reply',
      new_reaction: 'Open the post',
      new_follower: 'See the profile',
      mention: 'See where',
      space_invite: 'Visit the space',
      space_join: 'Open it',
      course_enrollment: 'Open it',
      lesson_complete: 'Open it',
      moderation: 'Open it',
    },
    footer: (reason, community) => `You get this mail because ${REASONS[reason]} at ${community}.`,
  },
  digest: {
    locale: 'en-GB',
    title: (daily, community) => `Your ${daily ? 'day' : 'week'} at ${community}`,
    intro: (greeting, news) => `${greeting} here is what you may have missed: ${news}.`,
    footer: (daily, community) =>
      `You get this mail ${daily ? 'every morning' : 'on Mondays'} when there is something to tell at ${community}.`,
    forYou: 'For you',
    popular: 'Popular posts',
    inSpaces: 'New in your spaces',
    authorIn: (author, space) => `${author} in ${space}`,
    more: (count) => `… and ${count} more`,
    unread: (count) => counted(count, 'unread notification'),
    popularPosts: (count) => counted(count, 'popular post'),
    newsInSpaces: (count) => `news in ${counted(count, 'space')}`,
    newPosts: (count) => counted(count, 'new post'),
    reactions: (count) => counted(count, 'reaction'),
    comments: (count) => counted(count, 'comment'),
  },
}
