import type { Voice } from '../types.ts'
import { bios } from './bios.ts'
import { lists } from './lists.ts'
import { replies } from './replies.ts'

export const english: Voice = {
  language: 'en',
  space: ' ',
  colon: ': ',
  lists,
  bios,
  replies,
  tags: [
    ' ({where})', ', {where}', ' ({where})', ', {where}', ' after {span}', ' (long)', ' – update', ' (part {2-4})', ' – {span} in', ' for beginners', ' 🙈', ' (with numbers)', ' – thoughts?',
  ],
  askTags: [
    ' – any ideas?', ' – anyone?', ' – what am I missing?', ' ([quick|short|silly] question)', ' (newcomer here)', ' – again', ' (help!)', ' – [solved|solved, I think]', ', day {2-9}', ' – [attempt|round] {2-9}',
  ],
  question: {
    greet: [
      'Hi all,', 'Hello everyone,', 'Hi,', 'Evening all,', 'Morning folks,', 'Hey everyone 👋', 'Hi there,', '[First post here, so be gentle.|Long-time reader, first post.]',
      'Quick one:', 'I searched [the space|here] first but found nothing that fits.', 'Apologies if this has been asked before.',
    ],
    titles: [],
    open: [],
    close: [
      '[Thanks in advance!|Thanks!|Many thanks.|Cheers!|Thank you 🙏]', 'Any [pointers|hints|advice] [welcome|appreciated].', 'Happy to add [details|more detail] if it helps.',
      'I can post [photos|a photo|more] [tonight|tomorrow] if that helps.', 'Curious what [you all|others] would do.', 'I would rather ask [a silly question|twice] than do it wrong again.',
      'What would you [try|do] first?', 'Feel free to tell me I am overthinking this.', '[No rush.|Not urgent, but it bugs me.]',
    ],
    buying: {
        titles: [
          'Is {a gear} worth it?', '{A gear} or {a gear2}?', 'Which {gear} for someone who mostly does {thing}?', '{Gear} for {thing} {where}?', 'Second-hand {gear}: what to look for?',
          'Do I need {a gear} for {thing}?', 'Your experience with {a gear}?', '[Replacing|Upgrading] my {gear} – worth it?', '{A gear} under {k=30-240} [euros|dollars|pounds]?',
        ],
        story: [
          'I am thinking about buying {a gear}. Until now I have got by with {a gear2}, but since I [started|got into] {doing}, [it shows its limits|I notice what is missing].',
          'My old {gear} [gave up|broke|died] {time*} after {span}. I mostly do {thing}, {where}, so nothing fancy is needed.',
          'There is a second-hand {gear} near me for {k=30-240} [euros|pounds|dollars], [used for a year|barely used|a bit scratched]. I would use it for {thing} and [maybe|later] {thing2}.',
        ],
        tried: ['{Buddy*} swears by {a gear3}, but [that is a different budget|they do this for a living|they swear by everything].', 'The reviews I found [all sound like adverts|contradict each other].', 'I borrowed one {time*} and [liked it|was not sure].'],
        ask: ['Is it money well spent?', 'What would you [buy|get] [today|at this price]?', 'Anything I should check before I pay?', 'Would you [buy it again|go for it]?', 'Or is there something [simpler|smaller|cheaper] that does the job?'],
        answers: [
          'I have had mine for {span} and use it [weekly|all the time|more than I expected].', 'I bought one, used it [twice|for a month] and went back to my {gear2}.', 'Second-hand, always. People buy {a gear}, try {thing} once and sell it.',
          'For {thing} it is [fine|more than enough]. For {thing2} I would want something [better|sturdier].', '{k=30-240} sounds [fair|a bit steep|like a bargain] to me.', 'Check whether spare parts [exist|are still sold]. That was my mistake.',
        ],
      },
    generic: [
      {
        titles: [
          'How do you {goal}?', 'How do [you all|you|people here] {goal} {where}?', '[Best|Simplest|Cheapest] way to {goal}?', 'Trying to {goal} – where [do|would] I start?',
          'What [stops|keeps] you from giving up when you want to {goal}?', 'Is it [realistic|possible|even possible] to {goal} {where}?',
        ],
        story: [
          'For {span} I have been trying to {goal}, [with mixed results|and I keep getting stuck|on and off]. The main obstacle is {problem}, and I am doing all this {where}, [which does not help|so options are limited].',
          'My aim is to {goal}. I have {a gear}, [some|not much] patience and about {2-8} hours a week. So far one thing has got in the way [every time|twice|more often than not]: {problem}.',
          '{buddy*} makes it look so easy to {goal}. [I, on the other hand,|Meanwhile I] [have spent|spent] {span} on it and still [fight with|struggle with|trip over] {problem}.',
        ],
        tried: [
          'I tried {doing} [first|as people recommend], which helped [a little|for a while|less than I hoped].', 'So far I have read up on {thing} and {thing2}, but reading is not doing.',
          '{Buddy*} suggested {doing}. [No luck yet.|It did make a difference, just not enough.]', 'I [bought|borrowed] {a gear2} for it, which [mostly sits in a drawer|was not the answer|turned out to be the wrong thing].',
        ],
        ask: [
          'How do you go about it?', 'What made the difference for you?', 'If you had to start again, what would you do [first|differently]?', 'Is there a [trick|routine|habit] that I have missed?',
          'Which step [matters most|would you not skip]?',
        ],
        answers: [
          'What helped me to {goal} was {doing} [regularly|in small doses|every week], nothing clever.', 'Start with {thing}, leave {thing2} for later. [Too many fronts at once was my mistake.|You will thank yourself.]',
          'I would sort out {problem} before anything else.', 'I do it {where} too. It took me {span}, so [be patient|do not give up].', 'Honestly? Skip the {gear} and spend the time on {doing}.',
        ],
      },
      {
        titles: [
          '{Problem} – how do you deal with it?', '{Problem} [again|and again|once more], {where}', 'Struggling with {problem}', '{Problem}: [my fault|normal|bad luck] or [a real problem|something worse]?', 'Help with {problem}?',
          'What causes {problem}?', 'Anyone else with {problem}?', '{Thing} and {problem}', '{Problem} with {thing}: [normal|to be expected|how bad is it]?', 'Losing the fight against {problem}',
        ],
        story: [
          'For {span} now I have had trouble with {problem}. It [started|began] when I [took up|started with] {thing}, {where}, and it [comes and goes|is getting worse|has not gone away since].',
          '{Time*} I noticed {problem} for the [first|second|third] time. Everything else [is|seems] fine, {thing} included, so I am [puzzled|a bit lost].', 'I {did} {time*} and was [rather|quite|very] pleased with myself, until {problem} [turned up|showed up|spoiled it].',
        ],
        tried: ['Things I tried: {doing}, [more patience|swearing|starting over], and a different {gear}.', 'A search gives [five|ten|a dozen] contradictory answers.', '{Buddy*} says to ignore it. I am not so sure.', 'I changed one thing at a time, as one should, and [nothing moved|learnt very little].'],
        ask: ['Has anyone found a [cure|proper fix|cause]?', 'Is that normal with {thing}?', 'What would you rule out first?', 'Do I have to start from scratch?', 'How did you get rid of it?'],
        answers: [
          'I had {problem} for {span}. What finally helped was {doing}.', 'Nine times out of ten it comes down to the {gear}.', 'It is quite normal with {thing}, [do not worry|it goes away by itself].', 'Change only one thing at a time, otherwise you will never know what it was.',
          'Before you do anything else: [take notes for a week|write down when it happens]. The pattern is usually obvious afterwards.',
        ],
      },
    ],
  },
  show: {
    titles: [
      'I {did}!', 'Finally {did}', '[First|Second|Third] attempt at {thing}', '{Thing}, {span} later', 'Small win: I {did}', 'My {gear} and I: {thing}', 'Look what happens when you {goal}', '{Did} – and I am [rather|quite|stupidly] proud',
      '[Today|Tonight|This weekend]: {thing}', '{Thing} {where}: [progress|results|a report]', 'After {span}: {thing}', '[Before|Then] and [after|now]: {thing} {where}', 'A [quiet|long|busy|good] [day|weekend|evening] of {doing}',
      '{Doing} {where}', 'It worked! {Thing} at last', '{Thing}: attempt number {2-19}', 'Not perfect, but mine: {thing} {where}',
    ],
    open: [
      '{Time*} I [finally|at last] {did}.', 'After {span} of [talking about it|putting it off|reading about it|half-hearted attempts], I {did}.', 'So this happened: I {did}.', 'I {did} {time*}, {where}.', '[Sharing|Posting] this because [nobody at home|nobody around me|my cat] [cares|wants to hear about it any more] 😄',
      'Some of you may remember my post about {problem}. [Here is the follow-up.|Well, here is how it went.]', '{Buddy*} dared me, so I {did}.', '',
    ],
    close: [
      'Next up: {thing2}.', 'Suggestions for what to [try|do] next are welcome.', 'Thanks to everybody who [encouraged me|answered my questions] last time, especially {@}.', '[Feedback|Criticism] welcome, [be honest|be kind].', 'What would you have done differently?', 'I would do it again tomorrow.',
      'It is far from perfect, but it is mine.', 'Now I need a [nap|coffee|bigger shelf] ☕', 'Photos follow when [the light is better|I have cleaned up].', 'Total cost: {12-90} [euros|pounds|dollars] and [one|two] [sleepless night|evenings|sore thumb].', '', '',
    ],
  },
  tips: {
    titles: [
      '{k=3-7} things I wish I had known about {thing}', '{Thing}: what I learnt in {span}', 'What {span} of {doing} taught me', 'My [short|little|boring] checklist for {thing}', '{Thing} [without|with less] {problem}', 'How I {goal}: [notes|my notes|a summary]', 'Notes on {thing} {where}', 'A beginner’s guide to {thing}',
      'For newcomers: {thing}', '{Thing} for [people with no time|the impatient|lazy people]', 'The [mistakes|three mistakes] I made with {thing}', 'Avoiding {problem}: what works [for me|here]', 'Rules of thumb for {thing} {where}', 'What nobody tells you about {thing}',
    ],
    open: [
      'People keep asking me about {thing}, so here is what I [tell|told] {buddy*}.', 'I have been doing this for {span}, mostly {where}. [None of this is new|No guarantees], but I would have been glad to read it at the start.', 'After [yet another|one more] round of {problem} I wrote down what [actually|really] works for me.', 'Collected from {span} of [mistakes|trial and error], in no particular order:',
      'A few things about {thing} that took me [far too long|{span}] to learn:', 'Inspired by {@}’s post, here is my own list.', 'Short version for the [impatient|busy]:',
    ],
    close: [
      'What would you add?', 'Number [one|two|three] alone would have saved me {span}.', 'Disagree? [Tell me why|I want to hear it].', 'That is all. [Have fun|Go and try it]!', 'I will keep this [list|post] updated.', 'Most of this I learnt from [people here|this space], so: thank you.', 'If you only take one thing from this: {tip*}', '',
    ],
  },
  opinion: {
    because: [
      'I say that after {span} of {doing}, {where}.', 'The usual [objection|counter-argument] is {problem}, and I do not buy it.', 'I did it the other way for {span*}, with {a gear} and everything. [It was fine.|It was not better.|I do not miss it.]',
      'Ask ten people about {thing} and you get {11-14} answers. Mine has at least been tested {where}.', '{Buddy*} does the exact opposite and is happy with it, so there is that.', 'When I [started|began] nobody told me, and I paid for it with {problem}.', 'What matters is that you {goal}. The rest is [decoration|taste|noise].',
      'Yes, there are exceptions: {thing2}, for one.',
    ],
    titles: [
      'Unpopular opinion about {thing}', '{Thing}: [overrated|underrated]?', 'Are we [overthinking|making too much of] {thing}?', '{Thing} or {thing2}?', 'Why I stopped [worrying|fretting] about {problem}', 'Does anybody still care about {thing}?', 'Do you really need {a gear}?', 'In praise of {thing}', 'I changed my mind about {thing}',
      'What is it about {thing} that [divides|splits] people?', 'Let’s talk about {thing} [honestly|for once|again]', 'The case [for|against] {thing}', '{Thing} {where}: [worth it|a fool’s errand|am I the only one]?', 'Hot take: {thing} before {thing2}', 'My {span} with {thing}, an honest [verdict|account]',
    ],
    open: [
      '', 'I have been thinking about this since {time*}.', 'This may be [unpopular|obvious to most of you], but here goes.', 'A discussion with {buddy*} {time*} made me think.', 'Reading the thread about {thing2}, I noticed how [differently we all see|split we are on] this.', 'After {span} of {doing} I have come to a [conclusion|slightly odd conclusion].', 'Hear me out.',
    ],
    close: [
      'How do you see it?', '[Change my mind.|Convince me otherwise.]', 'Am I alone with this?', 'I would love to hear from somebody who [does the opposite|disagrees].', 'Maybe it is different {where}.', 'What is your experience?', 'No offence to anyone who does it differently, [of course|obviously].', 'Perhaps I am just getting old.', 'Curious whether [the others here see it the same way|{@} agrees].',
    ],
  },
  link: {
    titles: [
      '{Resource}', 'Worth [reading|a read|your time]: {resource}', '{Resource} – [recommended|a good one]', '[Found|Bookmarked] {time}: {resource}', 'Has anyone [read|seen|tried] “{resource}”?', '[Link|Read|Good read]: {resource}', '{Resource} (and {problem})', '{Resource}: [thoughts|notes|discuss]?',
    ],
    open: ['[Stumbled|Came] across this {time*}:', '{Buddy*} sent me this {time*}:', 'If you are into {thing}, have a look at this:', 'This [explains|covers] {thing} better than I ever could:', '[Passing this on|Sharing] because it helped me with {problem}:', ''],
    sites: ['https://{site}.example.org/{slug}', 'https://www.example.com/{site}/{slug}', 'https://example.org/{site}/{slug}', 'https://{site}.example.com/{slug}'],
    why: [
      'What I liked: it does not [preach|try to sell you anything], and the part on {thing} is [excellent|spot on].', 'The [first|second|last] third is the [best part|interesting bit]; skip the intro.', 'I do not agree with everything, least of all on {thing2}, but it made me think.', 'About {6-40} minutes [to read|of your time], [and worth every one|most of it useful].', 'The section on {problem} alone is worth it.',
      'Written by somebody who has [clearly|obviously] done this for [years|decades].', 'It made me get out my {gear} again.', 'Slightly dated, but the basics [have not changed|still hold].',
    ],
    close: ['What do you think?', 'Any [similar recommendations|others like this]?', 'Let me know if you find [more|better ones].', 'Does this match your experience?', '', ''],
  },
  story: {
    titles: [
      'How I [nearly|almost] gave up on {thing}', 'The day I {did}', 'A story about {thing} and [bad|good|dumb] luck', '{Problem}, or: how I learnt to [slow down|read the instructions|laugh about it]', 'What {buddy} taught me about {thing}', 'My worst {doing} [disaster|story] so far', '{Span} ago I knew nothing about {thing}', 'A [long|short] story about {a gear}',
      '{Doing}, {where}, in the rain', 'Looking back on {span} of {thing}', 'The {gear} that [changed|ruined] everything', 'I {did} so that you do not have to', 'It all started with {a gear}',
    ],
    open: [
      '{Span*} ago I had never heard of {thing}. Then {buddy*} turned up with {a gear} and [talked of nothing else|would not stop talking].', 'I promised to tell this story, so here it is.', 'It started [harmlessly|innocently enough]: I wanted to {goal}. How hard could it be?', '{Time*}, {where}. I had {a gear}, a thermos and [far too much confidence|no plan at all].',
      'Some of you asked how I got into {thing}. The honest answer is: by accident.', 'Everyone here seems to have one of these stories. This is mine.',
    ],
    turn: [
      'Then came {problem}.', 'What I had not reckoned with was {problem}.', 'For a while all went well. Then, [out of nowhere|of course], {problem}.', 'Halfway through, {buddy*} asked the one question I could not answer: why {thing}, of all things?', 'Naturally the {gear} [picked that moment to fail|gave up right there].', 'I should have stopped there. I did not.', 'By then it was dark, and I was [laughing|close to tears|hungry].',
    ],
    after: [
      'I sat down on the floor and laughed.', '{Buddy*} made {drink*} and said nothing, which helped.', 'In the end I did the only sensible thing and started again, slower this time.', 'It took {span*} to get back to where I had been.', 'I wrote down what had gone wrong. It fitted on a postcard.',
      'The next morning it looked [half as bad|much better], as things do.', 'A stranger helped me, {where}, and would not take anything but {drink*}.', 'I put the {gear} away and went for a walk. Best decision of the day.', 'And then, when I had stopped trying, it simply worked.', 'I asked here, by the way, and {@} had the answer within the hour.',
    ],
    lesson: [
      'What I took away from it:', 'The moral, if there is one:', 'Since then I [do one thing differently|have a rule].', 'It took me {span*} to see the obvious:', 'Looking back, it comes down to this.', '{Buddy*} still brings it up at [every|each] dinner.',
    ],
    close: ['And yes, I would do it again.', 'Your turn: what is your story?', 'Thanks for reading this far.', 'I still have the {gear}, by the way.', 'Today I can laugh about it. [Mostly.|Just.]', '', ''],
  },
  poll: {
    open: [
      'We had this discussion {time*} and could not agree, so let us count.', '[Simple|Quick] question, no wrong answers. [Vote below|Please vote] and tell us why in the comments.', 'Curious where this [group|space] stands.', 'I have to decide soon and could use your [help|experience].', '{@} and I have a bet running. Please be honest.', 'It has been {span} since we last asked.', 'Out of pure [curiosity|nosiness]:',
    ],
    close: ['Reasons in the comments, please!', 'If your answer is missing, say so below.', 'I will [sum it up|share the result] in a week.', '', ''],
  },
  event: {
    titles: [
      'Meet-up in {city}: {thing}', '{City}: who is in for {day}?', '{Day} meet-up at {venue}', 'Join us: an evening about {thing}', 'Get-together in {city}, {day} {hour}', 'Open evening: bring your {gear}', 'Workshop: {doing}', '{Thing} night in {city}', 'Next [meeting|meet-up|gathering]: {day}, {hour}', 'Online session: {thing} for [beginners|everyone|the curious]',
    ],
    open: [
      'We are planning a [small|relaxed|low-key] meet-up around {thing}.', 'After the last one was such fun, let us do it again.', '{@} and I would like to get a few of you together.', '[Beginners|Newcomers] are very welcome, nobody has to bring anything but curiosity.', 'By popular request: a hands-on session on {doing}.',
    ],
    facts: [
      ['When', ['{Day*}, {hour*}', '{Day*} in two weeks, {hour*}', 'next {day*}, {hour*} to about 21:30']],
      ['Where', ['{venue*}, {city}', '{Venue*}', '{city}, exact place by message']],
      ['Bring', ['your {gear}, if you have one', 'something to share, and {drink*}', 'nothing, we have enough [tools|kit|chairs] for {6-14}', 'questions, and {a gear2} if you own one']],
      ['Topic', ['{thing}, and whatever comes up', '{doing}, with time to try it', '{thing} and {thing2}']],
      ['Costs', ['free, there is a jar for {drink*}', '{2-6} for the room', 'nothing']],
      ['Places', ['{8-24}', 'as many as fit', '{6-16}, first come, first served']],
    ],
    close: ['Reply here if you [want to come|are in], so that we can plan.', 'Children and dogs welcome.', 'If you cannot make it: we will post [notes|a summary] here.', 'Who is in? ✋', 'We [postpone|move indoors] if the weather is awful.', 'Questions to {@}, please.'],
  },
  announcement: {
    titles: [
      'New here? Start with this', '[House|Space] rules, short version', 'Changes [to|in] this space', 'Welcome, new members! (round {2-40})', 'Please tag your posts', 'Monthly theme: {thing}', 'Challenge [of the month|no. {3-40}]: {thing}', 'Thank you, everyone', 'We are looking for [moderators|helpers|a co-host]', 'Next theme: {doing}', '[Library|Wiki|Link list] updated: {thing}', 'Results of our little survey about {thing}',
      'Reminder: how to ask about {problem}', '{k=100-900} members! A [small|short] look back', 'Call for stories: {thing}', 'Moderators’ note on {thing}',
    ],
    bodies: [
      'Welcome to everyone who joined [this month|recently]! Say hello, tell us what brought you to {thing} and what you [would like|want] to learn. Nobody here was born knowing about {problem}.\n\nThree things that keep this place pleasant:\n\n1. **Be kind.** We all started somewhere.\n2. **Give context** when you ask: what you want, what you tried, what happened.\n3. **Say what worked** in the end. The next person will thank you.',
      'From [next week|Monday] on we try something new: a monthly theme. The first one is **{thing}**. Post whatever fits: pictures, questions, failures. [The moderators|We] will collect the best bits in a summary.\n\nIdeas for later themes go into the comments. {Thing2} has been suggested {3-9} times already.',
      'The link list has grown to {30-90} entries, thanks to {@} and others. New in it: [two|three|four] pieces on {thing}, one on {doing}, and a checklist against {problem}.\n\nIf a link is dead, leave a comment here.',
      'This month’s challenge: **{doing}**. Rules are simple:\n\n- post one result before the [last day of the month|{20-28}th]\n- tell us what went wrong\n- comment on at least two others\n\nThere is nothing to win [but glory|but our respect]. Last time {12-60} of you took part!',
      'We are looking for [one or two people|somebody] to help with moderation. It takes about {10-30} minutes a day: greeting newcomers, moving posts that landed in the wrong place, [calming|cooling] the odd argument about {thing}.\n\nIf that sounds like you, send {@} a message.',
      'We asked, you answered: {k=40-400} votes on {thing}. In short:\n\n> [Most of you|A clear majority] would like more about {doing} and fewer posts about {gear} prices.\n\nWe take that to heart. Prices and offers go into one weekly thread from now on.',
      'Questions about {problem} come up almost daily, so here is what helps us to help you:\n\n- where you are ({where}, for instance)\n- which {gear} you use\n- what you have tried already\n- a photo, if there is anything to see\n\nThank you!',
    ],
    close: ['– the moderators', 'Thank you for making this such a good place.', 'Questions? Ask below.', 'Have a good week, everybody!', ''],
  },
  thread: {
    titles: [
      'Weekend thread #{k=2-99}: [what are you up to|plans]?', 'What did you [work on|do|try] this week? (#{k=2-99})', 'Small questions thread #{k=2-99}', '[Monday|Friday|Sunday] check-in #{k=2-99}', 'Show your {gear}!', 'Wins and failures of the week #{k=2-99}', 'What is on your list [this month|next]?', 'Post your {thing}!', 'One thing you learnt this week (#{k=2-99})',
      'Confessions: your worst {problem} moment', 'Your favourite {gear} under {15-60} [euros|pounds|dollars]?', 'Share your [corner|setup|view] {where}',
    ],
    bodies: [
      'The usual thread for everything that does not need a post of its own. I will start: I {did} {time*}, and now I [am stuck with|have to deal with] {problem}.\n\nYou?',
      'No question too small. Last week’s thread had {12-80} [answers|replies], among them a very good one by {@} on {thing}.', 'Tell us [one thing that worked|what went well] and one that did not. Mine:\n\n- 👍 {did}\n- 👎 {problem}', 'Photos, half-finished [things|projects], rants: all welcome. I am mostly busy with {doing} this [week|weekend].',
      'It is [quiet|raining] here, so I am [making plans|tidying up my {gear}]. What about you?', 'Let us see them! Mine is {span} old and [looks like it|still going strong].',
    ],
  },
  trade: {
    titles: [
      '[For sale|To give away|Free to a good home]: {gear}', '[Looking for|Wanted]: {gear} in {city}', 'Swap: {gear} for {gear2}', '[Borrow|Lend]: does anyone in {city} have {a gear}?', '{Gear}, hardly used, {city}', 'Giving away {a gear} and {a gear2}', 'Who wants my {gear}?', 'Looking for someone to share {a gear} with ({city})',
    ],
    bodies: [
      'I am [moving|clearing out|upgrading] and have {a gear} to [give away|sell for {10-90}]. It is {span} old, works fine, [a few scratches|no box]. Pick-up in {city}, or I can [post|send] it for the cost of shipping.',
      'Before I buy one: does anybody around {city} have {a gear} that I could borrow for [a weekend|a week]? I want to try {doing} first. I pay in {drink*} 🙂', 'I have {a gear} that I no longer use since I switched to {a gear2}. Would [love|like] to swap it for something useful for {thing}. Make me an offer!',
      'Found in my [cellar|attic|garage]: {a gear}, complete with manual. [I have no use for it.|It deserves somebody who uses it.] First come, first served; I am in {city}, usually free on {day*}s.',
    ],
  },
  hello: {
    titles: [
      'Hello from {city}!', 'New here: [hi|hello] from {city}', 'Introducing myself', '[Hi|Hello], I am new', '[Greetings|Hello] from {city} – I am here for {thing}', 'Finally joined!', 'Hi! {Thing}, {thing2} and [too many|far too many] hobbies', 'A [late|long overdue] hello from {city}', 'Another newcomer ({city})',
    ],
    bodies: [
      'Hi everyone! I have been reading along for {span} and thought it was time to say hello. I live in {city} with [my partner|two kids|a dog|two cats|far too many plants] and work [in a hospital|as a teacher|in logistics|at a library|in IT|as an electrician|part-time]. {buddy*} got me into {thing}, and [it stuck|I have not stopped since].\n\nI am looking forward to [learning from you|getting to know you]!',
      'Hello from {city}! I am {24-67}, [recently retired|between jobs|a student|self-employed|back from parental leave] and looking for people who like {thing} as much as I do. I also [dabble in|know a little about] {thing2}.\n\nWhat is the best place to start here?',
      'Short introduction: {city}, {24-67}, {thing} and {thing2}. I joined because of a post on {problem} that [saved my week|made me laugh out loud]. I have {a gear} and I am not afraid to use it.\n\nNice to meet you all 👋', '{@} told me about this place, so here I am. I know [next to nothing|a bit] about {thing} but I want to {goal}. Please be patient with me!',
    ],
  },
  status: [
    'I {did} {time*}. [That is the whole post.|That is all.|Just wanted to tell someone.]', '{Doing} {where} is [my kind of therapy|the best part of my week|underrated].', '{Problem}, {night*}, {where}. [Send help.|Guess who is having fun.|Never again.]', '[Good morning|Hello] from {where}! [Plan for today|On the list]: {doing}. And you?', 'Me: I do not need another {gear}. Also me, {time*}: 🛒',
    'Day {2-60} of trying to {goal}. [Still no idea what I am doing.|Slowly getting there.|Today it clicked!]', 'Today I learnt: {tip*}', 'Just {did} and [my back|everything] hurts 😂 Worth it.', 'Is it just me, or does everybody talk about {thing} all of a sudden?', '{Buddy*} asked me what I see in {thing}. I talked for {20-90} minutes. [They will not ask again.|I regret nothing.]',
    'Shout-out to {@} for the hint about {thing}. [It worked!|You saved my weekend.|Exactly what I needed.]', 'Current status: {doing}, {where}, with [cold coffee|a cat on my lap|bad music|the window open].', 'Nobody warned me that {thing} would lead to {thing2}, and {thing2} to {a gear}.', 'Reminder to self: {tip*}',
    'I have now spent {span} on {thing} and [regret nothing|know less than before|would do it again].', 'One [small|tiny] step: I {did} [before breakfast|today|without any help]. {Thing2} is next.', 'When it [finally works|all comes together], {where}, after {span}… 🎉', 'Lent my {gear} to {buddy*} {time*}. [Wish me luck.|We shall see.|It has not come back.]', '{Problem}: 1, me: 0.',
    'It is {10-30} % skill, and the rest is {doing}.', 'That feeling when you {goal} [for the first time|at last]. {city}, {hour*}, [rain|sunshine|fog] outside.',
  ],
}
