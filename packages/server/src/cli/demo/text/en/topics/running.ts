import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const running: Topic = {
  key: 'running',
  language: 'en',
  lists: {
    field: ['running'],
    thing:
      words(`easy runs, intervals, the long run, trail shoes, strength training, hill repeats, a first marathon, running in the heat, barefoot drills, heart rate zones,
      tempo runs, proper warm-ups, rest days, night runs, ultra distances, track sessions, stretching, carb loading`),
    gear: words(
      `heart rate strap, running vest, head torch, foam roller, pair of trail shoes, treadmill, GPS watch, rain jacket, soft flask, massage gun, reflective vest, race belt`,
    ),
    problem:
      words(`shin splints, side stitches, a tight calf, black toenails, runner’s knee, starting too fast, blisters, a high heart rate, boredom, an angry Achilles tendon, dogs off the lead,
      the wall at 32 km, motivation in winter, stomach trouble`),
    doing:
      words(`slowing down, running before work, adding strides, counting cadence, training with a group, doing squats twice a week, running without a watch, commuting on foot,
      sleeping more, alternating shoes, walking the hills, writing a training diary`),
    did: words(`ran ten kilometres without stopping, finished my first half marathon, got up at five and ran, broke fifty minutes, ran to work every day for a week, joined a club,
      did my first trail race, came last and loved it, ran my first kilometre since the operation, paced a friend round a half marathon, survived the hill session, ran in the snow`),
    where: words(
      `in the hills, along the canal, in the dark, on a treadmill, in 30 degrees, at sea level, in the city, on forest trails, with a pram, on tired legs, in the rain, on the beach`,
    ),
    goal: words(`run a sub-two-hour half, get back after an injury, run slower on easy days, train around a job and two kids, stay motivated in winter, run five kilometres without walking,
      choose shoes without going mad, avoid side stitches, fuel a long run, run downhill without fear, fit strength training in, enjoy running again`),
    race: words(
      `the city half, a 10 km fun run, the lakeside marathon, a hilly 25 km trail race, the night run, a relay with colleagues, a backyard ultra, the harvest run`,
    ),
  },
  cases: [
    {
      titles: lines(`
        Heart rate {k=155-180} on easy runs – too high?
        Easy pace, heart rate {k=155-180}
        I cannot run slowly enough for zone 2`),
      story: lines(`
        I am {28-58}, running for {span}, {2-4} times a week. Even at {6-8}:{10-50} per km my heart rate sits at {k=155-180}. Any slower and I walk.
        The plan says zone 2, the watch says {k=155-180}, my legs say this is a shuffle. I can talk in [whole|half] sentences, though.`),
      tried: lines(`
        A chest strap shows about the same as the watch.
        I took walking breaks, which works, but feels like cheating.`),
      ask: lines(`
        Should I care?
        How long did it take until yours came down?`),
      answers: lines(`
        If you can chat, it is easy. 220 minus age is a guess with an error of twenty beats.
        Walk breaks are not cheating. I did that for three months and gained a minute per kilometre.
        Heat alone adds ten beats. Compare only runs at the same temperature.
        Find out your real maximum on a hill, then do the zones again. Mine was 14 higher than the formula.
        It took me {span*}. Boring, and the best thing I ever did for my running.
        Two or three runs a week are little. Add a short fourth one before you worry about zones.`),
    },
    {
      titles: lines(`
        Shin pain after {k=3-12} km
        Shin splints, {race} in {k2=4-12} weeks
        Pain along the shin – keep running?`),
      story: lines(`
        For {5-20} days my [left|right] shin has hurt on the inside, from about kilometre {k=3-12} on. I went from {10-20} to {25-45} km a week, so I can guess why. {Race} is in {k2=4-12} weeks.
        It starts at kilometre {k=3-12}, dull at first, sharp when I press on the bone. I have entered {race} with [colleagues|my sister], in {k2=4-12} weeks.`),
      ask: lines(`
        Pause or reduce?
        What helped you?`),
      answers: lines(`
        Sharp on one spot when you press: see someone. A stress fracture is no joke and {k2=4-12} weeks are just enough to heal.
        I halved the distance and did calf raises every day, {2-3} × 15, slow. Gone after a month.
        Bike and pool for two weeks. You lose almost nothing.
        New shoes? Worn-out shoes? That was it in my case.
        Softer ground and shorter steps. And no, stretching the shin did nothing for me.`),
    },
    {
      titles: lines(`
        What to eat before and during {race}?
        Fuel for {race}: gels make me sick
        My stomach gives up after {k=60-120/15} minutes`),
      story: lines(`
        In training all is well. In races my stomach closes after {k=60-120/15} minutes, and I cannot get [another gel|anything] down. Next up: {race}.
        I have tried {2-6} kinds of gels, and all taste like [glue|sweetened glue]. After {k=60-120/15} minutes I feel sick, after that I feel empty.`),
      ask: lines(`
        What do you take?
        How do you train your stomach?`),
      answers: lines(`
        Half a gel every twenty minutes with water, not one every forty. Small sips of trouble.
        Dried dates and salted crackers. My grandfather did it that way, and so do I.
        Practise on every long run, same breakfast, same stuff. The gut learns.
        You probably start too fast. The stomach shuts down when the effort is too high.
        Rice cakes with a bit of jam, cut small, in a freezer bag.
        For {k=60-120/15} minutes you need almost nothing if breakfast was decent.`),
    },
    {
      titles: lines(`
        Back to running after {span} off
        Starting again at {k=30-62}, slowly this time
        Couch to 5k at {k=30-62}: week {k2=2-8} is killing me`),
      story: lines(`
        I used to run [a lot|half marathons]; then came [a knee operation|two children|a desk job]. Now I am {k=30-62}, {6-20} kilos heavier, and in week {k2=2-8} of a beginner’s programme.
        At {k=30-62} I started from zero. Week {k2=2-8} asks for {5-20/5} minutes without a break, and I fail at {5-7}.`),
      ask: lines(`
        Repeat the week or push on?
        How often a week did you start?`),
      answers: lines(`
        Repeat the week. Nobody is checking. I did week {k2=2-8} three times.
        Slower! If you can slow down and still run, you are not there yet.
        Every other day, thirty minutes, no matter how much of it you walk.
        At {k=30-62} the lungs come back faster than the tendons. Be kind to the tendons.
        Well done for starting at all. It gets good around week nine, I promise.`),
    },
  ],
  shows: lines(`
    {5-42}.{1-9} km in {1-3}:{10-59}:{10-59}, the last two with a grin.
    The first half felt easy, the second half taught me some respect.
    Splits were even for once: {5-6}:{10-30} at the start, {5-6}:{10-25} at the end.
    It rained sideways, there were {12-60} of us, and the cake at the finish was still dry.
    I walked twice, and nobody cared, least of all me.
    A man of {68-81} overtook me on the last hill and said “nearly there”. My new hero.
    No watch, no music. I came home and had no idea how far it was.
    {120-1400/10} metres of climbing, one fall, no tears.`),
  details: lines(`
    The shoes have {300-900} km on them, and it shows.
    I slept {4-6} hours the night before, which is apparently enough.
    Breakfast was porridge and half a banana.
    The heart rate stayed under {148-168} all the way.
    Training was {3-4} runs a week for {8-16} weeks, no more.
    My calves have not spoken to me since.
    The volunteers were out in the cold for hours. Thank you.
    Strength training twice a week made the difference, I think.`),
  tips: lines(`
    Run your easy days easier than you think.
    Buy shoes in the afternoon, half a size up.
    Increase only one thing at a time: distance, speed or hills.
    Never try anything new on race day.
    Tie a double knot.
    Do calf raises while you brush your teeth.
    Start the race at the pace you want to finish with.
    Put your kit next to the bed.
    Two easy weeks cost less than one injury.
    Walk the steep bits, everyone at the front does.
    Drink before you are thirsty when it is over 25 degrees.
    Cut your toenails two days before, not the evening before.
    Take one full rest day even when you feel great.
    Shorten your stride on the way down.`),
  opinions: lines(`
    The watch is the enemy of the easy run.
    Stretching is a ritual, strength is the medicine.
    Cheap shoes with the right fit beat expensive ones with a plate.
    A slow runner spends longer on the course and deserves the same cake.
    The marathon is not the crown of running; 5 km all-out hurts more.
    Treadmills are underrated in winter.
    Running clubs are less about running than about turning up.
    Music takes away half of what I run for.
    Training plans are too long and too proud.
    Rest is training, it only looks bad in the statistics.`),
  replies: lines(`
    What pace was that?
    Chapeau for going out in that weather!
    Which shoes do you wear on that ground?
    I am doing {race*} too, see you at the start?
    Take it easy in the first {2-5} km, everybody burns matches there.
    My physio would say: eccentric calf raises.
    That negative split is a thing of beauty.
    Rest week! You have earned it.
    I run with a group on {day*}s, and it is the only reason I go.
    Same time as my first one. You will be much quicker next time.
    How do you carry water?
    Listen to the body, not to the plan.
    Good luck for {race}!`),
  polls: [
    { question: 'When do you run?', options: ['Before breakfast', 'At lunch', 'After work', 'At night', 'Whenever the baby sleeps'] },
    { question: 'Music?', options: ['Always', 'Only for intervals', 'Podcasts', 'Never'] },
    { question: 'How many pairs of shoes do you use in turns?', options: ['One', 'Two', 'Three or four', 'I would rather not say'] },
    { question: 'What is your favourite distance?', options: ['5 km', '10 km', 'Half marathon', 'Marathon', 'Beyond', 'Without a number'] },
  ],
  resources: [
    ['Slow is smooth', 'about easy running, with data from a village club'],
    ['Feet first', 'exercises with drawings, ten minutes a day'],
    ['The last finisher', 'a portrait that made me cry on a train'],
    ['How to read a hill profile', 'and how to pace by it'],
    ['Eating on the run', 'tested by people with bad stomachs'],
    ['A winter of night runs', 'lamps, layers, and deer'],
    ['Coming back', 'an honest injury diary'],
    ['Fifty parkruns later', 'what volunteering taught one runner'],
  ],
  tables: [
    {
      titles: lines(`
        My {k=8-16} week plan for {race}
        A normal training week, as requested
        Three runs a week for {race}: how it looked`),
      intro: lines(`
        Nothing scientific, but I got to the start line in one piece.
        For those who asked, a typical week. {Where}, mostly before work.`),
      head: 'Day | What | How much | Effort',
      rows: lines(`
        Monday | [rest|rest, stretching|swim, easy] | – | none
        Tuesday | intervals, {4-8} × {400-1000} m | {6-11} km | hard
        Wednesday | [easy|easy, with the dog] | {5-9} km | chatting
        Thursday | [hills|tempo] | {6-10} km | steady to hard
        Friday | strength | {20-45/5} min | depends on the week
        Saturday | easy + strides | {4-8} km | chatting
        Sunday | long run | {14-28} km | slow, cake after`),
      columns: [],
      outro: lines(`
        Missed sessions stay missed, that is my only rule.
        What would you change?`),
    },
  ],
}
