import type { Voice } from '../types.ts'

/** What is said on occasions: polls, meetings, offers, greetings. */
export const occasions: Pick<Voice, 'poll' | 'event' | 'announcement' | 'thread' | 'trade' | 'hello' | 'status'> = {
  poll: {
    titles: [
      '',
      '',
      '',
      'Poll: ',
      'Quick poll: ',
      'Poll of the week ({2-99}): ',
      'Asked again: ',
      'Settle this for us: ',
      'Vote! ',
      'For the statistics: ',
    ],
    open: [
      'We had this discussion {time*} and could not agree, so let us count.',
      '[Simple|Quick] question, no wrong answers. [Vote below|Please vote] and tell us why in the comments.',
      'Curious where this [group|space] stands.',
      'I have to decide soon and could use your [help|experience].',
      '{@} and I have a bet running. Please be honest.',
      'It has been {span} since we last asked.',
      'Out of pure [curiosity|nosiness]:',
    ],
    close: [
      'Reasons in the comments, please!',
      'If your answer is missing, say so below.',
      'I will [sum it up|share the result] in a week.',
      '',
      '',
    ],
  },
  event: {
    titles: [
      'Meet-up in {city}: {thing}',
      '{City}: who is in for {day}?',
      '{Day} meet-up at {venue}',
      'Join us: an evening about {thing}',
      'Get-together in {city}, {day} {hour}',
      'Open evening: bring your {gear}',
      'Workshop: {doing}',
      '{Thing} night in {city}',
      'Next [meeting|meet-up|gathering]: {day}, {hour}',
      'Online session: {thing} for [beginners|everyone|the curious]',
    ],
    open: [
      'We are planning a [small|relaxed|low-key] meet-up around {thing}.',
      'After the last one was such fun, let us do it again.',
      '{@} and I would like to get a few of you together.',
      '[Beginners|Newcomers] are very welcome, nobody has to bring anything but curiosity.',
      'By popular request: a hands-on session on {doing}.',
    ],
    facts: [
      ['When', ['{day}, {hour}', '{day} in two weeks, {hour}', 'next {day}, {hour}, open end', '{day}, {hour} sharp']],
      ['Where', ['{venue}, {city}', '{Venue}', '{city}, {venue}, details by message']],
      [
        'Bring',
        [
          'your {gear}, if you have one',
          'something to share, and {drink*}',
          'nothing, we have enough [tools|kit|chairs] for {6-14}',
          'questions, and {a gear2} if you own one',
        ],
      ],
      ['Topic', ['{thing}, and whatever comes up', '{doing}, with time to try it', '{thing} and {thing2}']],
      ['Costs', ['free, there is a jar for {drink*}', '{2-6} for the room', 'nothing']],
      ['Places', ['{8-24}', 'as many as fit', '{6-16}, first come, first served']],
    ],
    close: [
      'Reply here if you [want to come|are in], so that we can plan.',
      'Children and dogs welcome.',
      'If you cannot make it: we will post [notes|a summary] here.',
      'Who is in? ✋',
      'We [postpone|move indoors] if the weather is awful.',
      'Questions to {@}, please.',
    ],
  },
  announcement: {
    notices: [
      {
        titles: [
          'New here? Start with this',
          '[House|Space] rules, short version',
          'Welcome, new members! (round {2-40})',
          '{k=100-900/10} members! Welcome, everyone',
        ],
        bodies: [
          'Welcome to everyone who joined [this month|recently]! Say hello, tell us what brought you to {thing} and what you [would like|want] to learn. Nobody here was born knowing about {problem}.\n\nThree things that keep this place pleasant:\n\n1. **Be kind.** We all started somewhere.\n2. **Give context** when you ask: what you want, what you tried, what happened.\n3. **Say what worked** in the end. The next person will thank you.',
        ],
      },
      {
        titles: ['Monthly theme: {thing}', 'New: a theme for each month', 'Call for stories: {thing}'],
        bodies: [
          'From [next week|Monday] on we try something new: a monthly theme. The first one is **{thing}**. Post whatever fits: pictures, questions, failures. [The moderators|We] will collect the best bits in a summary.\n\nIdeas for later themes go into the comments. {Thing2} has been suggested {3-9} times already.',
        ],
      },
      {
        titles: ['[Library|Wiki|Link list] updated: {thing}', 'New in the link list ({30-90} entries)'],
        bodies: [
          'The link list has grown to {30-90} entries, thanks to {@} and others. New in it: [two|three|four] pieces on {thing}, one on {doing}, and a checklist against {problem}.\n\nIf a link is dead, leave a comment here.',
        ],
      },
      {
        titles: ['Challenge [of the month|no. {3-40}]: {doing}', 'This month’s challenge: {doing}'],
        bodies: [
          'This month’s challenge: **{doing}**. Rules are simple:\n\n- post one result before the [last day of the month|{20-28}th]\n- tell us what went wrong\n- comment on at least two others\n\nThere is nothing to win [but glory|but our respect]. Last time {12-60} of you took part!',
        ],
      },
      {
        titles: ['We are looking for [moderators|helpers|a co-host]', 'Could you help us, {10-30/5} minutes a day?'],
        bodies: [
          'We are looking for [one or two people|somebody] to help with moderation. It takes about {10-30/5} minutes a day: greeting newcomers, moving posts that landed in the wrong place, [calming|cooling] the odd argument about {thing}.\n\nIf that sounds like you, send {@} a message.',
        ],
      },
      {
        titles: ['Results of our little survey about {thing}', 'You asked for it: changes in this space', '{k=40-400} votes later'],
        bodies: [
          'We asked, you answered: {k=40-400} votes on {thing}. In short:\n\n> [Most of you|A clear majority] would like more about {doing} and fewer posts about {gear} prices.\n\nWe take that to heart. Prices and offers go into one weekly thread from now on.',
        ],
      },
      {
        titles: ['Reminder: how to ask about {problem}', 'Before you ask about {problem}', 'Please give us some context'],
        bodies: [
          'Questions about {problem} come up almost daily, so here is what helps us to help you:\n\n- where you are ({where}, for instance)\n- which {gear} you use\n- what you have tried already\n- a photo, if there is anything to see\n\nThank you!',
        ],
      },
    ],
    close: [
      '– the moderators',
      'Thank you for making this such a good place.',
      'Questions? Ask below.',
      'Have a good week, everybody!',
      '',
    ],
  },
  thread: [
    {
      titles: [
        'Weekend thread #{k=2-99}: [what are you up to|plans]?',
        'What did you [work on|do|try] this week? (#{k=2-99})',
        'Small questions thread #{k=2-99}',
        '[Monday|Friday|Sunday] check-in #{k=2-99}',
        'Wins and failures of the week #{k=2-99}',
        'What is on your list [this month|next]?',
        'One thing you learnt this week (#{k=2-99})',
      ],
      bodies: [
        'The usual thread for everything that does not need a post of its own. I will start: I {did} {time*}, and now I [am stuck with|have to deal with] {problem}.\n\nYou?',
        'No question too small. Last week’s thread had {12-80} [answers|replies], among them a very good one by {@} on {thing}.',
        'Tell us [one thing that worked|what went well] and one that did not. Mine:\n\n- 👍 {did}\n- 👎 {problem}',
        'Photos, half-finished [things|projects], rants: all welcome. I am mostly busy with {doing} this [week|weekend].',
        'It is [quiet|raining|far too hot] here, {where}, so I am [making plans|tidying up my {gear}|busy with {doing}]. What about you?',
      ],
    },
    {
      titles: ['Show your {gear}!', 'What does your {gear} look like?', 'Your favourite {gear} under {15-60} [euros|pounds|dollars]?'],
      bodies: [
        'Let us see them! Mine is {span} old and [looks like it|still going strong]. I use it mostly for {thing}, {where}.',
        'Somebody asked me {time*} which {gear} I use, and I realised that I have never seen yours. Pictures, please, the older the better. I have had mine for {span}.',
      ],
    },
    {
      titles: ['Confessions: your worst {problem} moment', '{Problem}: tell us everything', 'Let us laugh about {problem}'],
      bodies: [
        'I will start: {problem}, {where}, with {buddy*} watching. It took me {span*} to be able to talk about it.\n\nYour turn. Nobody here will judge you. Much.',
        'We all post what went well. Today, please, the opposite. Mine is about {problem}, and about not asking for help.',
      ],
    },
    {
      titles: ['Share your [corner|setup|view] {where}', 'Where are you right now?', 'Your place {where}, please'],
      bodies: [
        'A picture or three sentences: where do you do it? Here it is {where}, a bit cramped, with {a gear} in the way.',
        'I like to imagine all of you {where}. Am I right? Tell us what you see when you look up.',
      ],
    },
  ],
  trade: [
    {
      titles: [
        '[For sale|To give away|Free to a good home]: {gear}',
        '{Gear}, hardly used, {city}',
        'Who wants my {gear}?',
        '{Gear} looking for a new home ({city})',
      ],
      bodies: [
        'I am [moving|clearing out|upgrading] and have {a gear} to [give away|sell for {10-90}]. It is {span} old, works fine, [a few scratches|no box]. Pick-up in {city}, or I can [post|send] it for the cost of shipping.',
        'Found in my [cellar|attic|garage]: {a gear}, complete with manual. [I have no use for it.|It deserves somebody who uses it.] First come, first served; I am in {city}, usually free on {day*}s.',
      ],
    },
    {
      titles: [
        '[Looking for|Wanted]: {gear} in {city}',
        '[Borrow|Lend]: does anyone in {city} have {a gear}?',
        'Looking for someone to share {a gear} with ({city})',
      ],
      bodies: [
        'Before I buy one: does anybody around {city} have {a gear} that I could borrow for [a weekend|a week]? I want to try {doing} first. I pay in {drink*} 🙂',
        'I need {a gear} for one weekend, for {doing}, and do not want to buy one for that. Is there anybody near {city} who would lend me theirs? I bring it back clean, with {drink*}.',
      ],
    },
    {
      titles: ['Swap: {gear} for {gear2}', 'My {gear} for your {gear2}?'],
      bodies: [
        'I have {a gear} that I no longer use since I switched to {a gear2}. Would [love|like] to swap it for something useful for {thing}. Make me an offer!',
        '{Gear} against {gear2}, that is the offer. Mine is {span} old and has never let me down. {City}, or by post.',
      ],
    },
  ],
  hello: {
    titles: [
      'Hello from {city}!',
      'New here: [hi|hello] from {city}',
      'Introducing myself',
      '[Hi|Hello], I am new',
      '[Greetings|Hello] from {city} – I am here for {thing}',
      'Finally joined!',
      'Hi! {Thing}, {thing2} and [too many|far too many] hobbies',
      'A [late|long overdue] hello from {city}',
      'Another newcomer ({city})',
    ],
    bodies: [
      'Hi everyone! I have been reading along for {span} and thought it was time to say hello. I live in {city} with [my partner|two kids|a dog|two cats|far too many plants] and work [in a hospital|as a teacher|in logistics|at a library|in IT|as an electrician|part-time]. {Buddy*} got me into {thing}, and [it stuck|I have not stopped since].\n\nI am looking forward to [learning from you|getting to know you]!',
      'Hello from {city}! I am {24-67}, [recently retired|between jobs|a student|self-employed|back from parental leave] and looking for people who like {thing} as much as I do. I also [dabble in|know a little about] {thing2}.\n\nWhat is the best place to start here?',
      'Short introduction: {city}, {24-67}, {thing} and {thing2}. I joined because of a post on {problem} that [saved my week|made me laugh out loud]. I have {a gear} and I am not afraid to use it.\n\nNice to meet you all 👋',
      '{@} told me about this place, so here I am. I know [next to nothing|a bit] about {thing} but I want to {goal}. Please be patient with me!',
    ],
  },
  status: [
    'I {did} {time*}. [That is the whole post.|That is all.|Just wanted to tell someone.]',
    '{Doing} {where} is [my kind of therapy|the best part of my week|underrated].',
    '{Problem}, {night*}, {where}. [Send help.|Guess who is having fun.|Never again.]',
    '[Good morning|Hello] from {city}! [Plan for today|On the list]: {doing}. And you?',
    'Me: I do not need another {gear}. Also me, {time*}: 🛒',
    'Day {2-60} of trying to {goal}. [Still no idea what I am doing.|Slowly getting there.|Today it clicked!]',
    'Today I learnt: {tip*}',
    'Unpopular, but I {did} and felt nothing but [relief|hunger|pride].',
    'Three words: {thing}, {thing2}, nap.',
    'Overheard {where}: “{Thing}? At my age?” [Me, soon.|I have never felt so seen.]',
    'My plan was {doing}. What happened was {problem}.',
    'Is there a word for being [happy|tired|hungry] after {doing}?',
    'Nobody asked, but here is my ranking: 1. {thing}, 2. {thing2}, 3. sleep.',
    '{City*} people: it is {10-31} degrees, the sky is [blue|grey|undecided], and I am off to do something about {thing}. Who else?',
    'I told {buddy*} it would take “{10-30/5} minutes”. That was {span*} ago.',
    'Small joys: {doing}, {drink*}, and nobody wants anything from me.',
    'Learnt more about {thing} {time*} than in {span*} of reading.',
    '{Thing}, {where}. That is it. That is my week.',
    'If anyone needs me, I am {doing}. [Do not need me.|Bring {drink*}.]',
    'To whoever invented the {gear}: thank you. To whoever invented {problem}: why?',
    'Day off. Options: {thing}, {thing2}, or pretending to tidy up. Guess.',
    'Just {did} and [my back|everything] hurts 😂 Worth it.',
    'Is it just me, or does everybody talk about {thing} all of a sudden?',
    '{Buddy*} asked me what I see in {thing}. I talked for {20-90/5} minutes. [They will not ask again.|I regret nothing.]',
    'Shout-out to {@} for the hint about {thing}. [It worked!|You saved my weekend.|Exactly what I needed.]',
    'Current status: {doing}, {where}, with [cold coffee|a cat on my lap|bad music|the window open].',
    'Nobody warned me that {thing} would lead to {thing2}, and {thing2} to {a gear}.',
    'Reminder to self: {tip*}',
    'I have now spent {span} on {thing} and [regret nothing|know less than before|would do it again].',
    'One [small|tiny] step: I {did} [before breakfast|today|without any help]. {Thing2} is next.',
    'When it [finally works|all comes together], {where}, after {span}… 🎉',
    'Lent my {gear} to {buddy*} {time*}. [Wish me luck.|We shall see.|It has not come back.]',
    '{Problem}: 1, me: 0.',
    'It is {10-30} % skill, and the rest is {doing}.',
    'That feeling when you {goal} [for the first time|at last]. {city}, {hour*}, [rain|sunshine|fog] outside.',
  ],
}
