import Foundation

/// Names of months and weekdays in the languages that feeds and pages use besides English.
///
/// Months and weekdays: German, French, Italian, Spanish, Portuguese, Dutch, Greek and Hungarian. Months only: Polish,
/// Czech, Slovak, Russian, Ukrainian, Bulgarian, Serbian, Turkish, the Nordic and Baltic languages, Romanian, Indonesian,
/// Arabic, Hebrew and Hindi, and in feeds some sixty further languages. Also the formats of Korean, Japanese, Chinese and
/// Vietnamese.
enum DateLanguages {
    /// The full names by month without accents. Abbreviations are prefixes of these.
    private static let months: [[String]] = [
        "januar janner jaenner janvier gennaio enero janeiro januari ιανουαριος ιανουαριου stycznia ledna января січня ocak tammikuuta ianuarie يناير ינואר јануар януари јануара jaanuar januara sausio janvaris जनवरी",
        "februar feber fevrier febbraio febrero fevereiro februari φεβρουαριος φεβρουαριου lutego unora февраля лютого subat helmikuuta februarie فبراير شباط פברואר фебруар февруари veebruar februara vasario februaris फ़रवरी फरवरी",
        "marz maerz mars marzo marco maart mrt μαρτιος μαρτιου marcius marca brezna марта березня mart marts maaliskuuta martie maret مارس آذار מרץ март kovo मार्च",
        "april avril aprile abril απριλιος απριλιου aprilis kwietnia dubna апреля квітня nisan huhtikuuta aprilie أبريل إبريل ابريل نيسان אפריל април aprill aprila balandzio अप्रैल",
        "mai maggio mayo maio mei μαιος μαιου majus maja kvetna мая травня mayıs maj toukokuuta مايو أيار מאי мај май geguzes maijs मई",
        "juni juin giugno junio junho ιουνιος ιουνιου ιον junius czerwca cervna июня червня haziran kesakuuta iunie يونيو حزيران יוני јун юни juuni juna birzelio junijs जून",
        "juli juillet luglio julio julho ιουλιος ιουλιου ιολ julius lipca cervence июля липня temmuz heinakuuta iulie يوليو تموز יולי јул юли juuli jula liepos julijs जुलाई",
        "august aout agosto augustus αυγουστος αυγουστου augusztus sierpnia srpna августа серпня agustos elokuuta augusti agustus أغسطس اغسطس אוגוסט август augusta rugpjucio augusts अगस्त",
        "september septembre settembre septiembre setiembre setembro σεπτεμβριος σεπτεμβριου szeptember wrzesnia zari сентября вересня eylul syyskuuta septembrie سبتمبر أيلول ספטמבר септембар септември septembra rugsejo septembris सितंबर सितम्बर",
        "oktober octobre ottobre octubre outubro οκτωβριος οκτωβριου pazdziernika rijna октября жовтня ekim lokakuuta octombrie أكتوبر اكتوبر אוקטובר октобар октомври oktoober oktobra spalio oktobris अक्टूबर अक्तूबर",
        "november novembre noviembre novembro νοεμβριος νοεμβριου listopada listopadu ноября листопада kasım marraskuuta noiembrie نوفمبر נובמבר новембар ноември novembra lapkricio novembris नवंबर नवम्बर",
        "dezember decembre dicembre diciembre dezembro december δεκεμβριος δεκεμβριου grudnia prosince декабря грудня aralık joulukuuta decembrie desember ديسمبر דצמבר децембар декември detsember decembra gruodzio decembris दिसंबर दिसम्बर",
    ].map { names in names.split(separator: " ").map { folded(String($0)) } }

    /// The names in some sixty further languages by month, from the Unicode locale data. Only dates of feeds use them: in
    /// the text of a page they may be other words.
    private static let furtherMonths: [[String]] = [
        "januarie janar հունվարի հնվ yanvar urtarrila студзеня студзень জানুযা়রী ဇန်နဝါရီ gener sijecnja sijecanj ionawr januaro ژانویهٔ ژانویه xaneiro იანვარი જાન્યુઆરી જાન eanair қаңтар មករា ಜನವರಿ январь ມັງກອນ ມ.ກ sausis јануари ജനുവരി jannar जानेवारी ਜਨਵਰੀ جنوري ஜனவரி జనవరి มกราคม ม.ค січень جنوری ጃንዋሪ janaayo jannaayo januwari fhaoilleach faoilleach genver ජනවාරි ଜାନୁଆରୀ rebendan rbn יאַנואַר yanwar гыинвар",
        "shkurt փետրվարի փտվ fevral otsaila лютага люты ফেব্রুযা়রী ফেব ဖေဖော်ဝါရီ veljace veljaca chwefror februaro فوریهٔ فوریه pebrero febreiro თებერვალი ફેબ્રુઆરી ફેબ feabhra ақпан កុម្ភៈ ಫೆಬ್ರವರಿ февраль ກຸມພາ ກ.ພ vasaris ഫെബ്രുവരി frar फेब्रुवारी फेब्रुअरी ਫ਼ਰਵਰੀ فبروري فېبروري பிப்ரவரி ఫిబ్రవరి กุมภาพันธ์ ก.พ лютии فروری ፌብሩዋሪ febraayo februwari ghearran gearran cʼhwevrer පෙබරවාරි ଫେବୃଆରୀ sibat sbt פֿעברואַר fewral",
        "մարտի մրտ martxoa сакавіка মার্চ မတ် ozujka ozujak mawrth marto marso მარტი માર્ચ marta наурыз មីនា ಮಾರ್ಚ್ ມີນາ ມ.ນ kovas മാർച്ച് marzu ਮਾਰਚ مارچ marec machi மார்ச் మార్చి มีนาคม มี.ค березень ማርች maarso mashi mhart meurzh මාර්තු ମାର୍ଚ୍ଚ adar adr מערץ",
        "prill ապրիլի aprel apirila красавіка এপ্রিল ဧပြီ travnja travanj ebrill aprilo آوریل აპრილი એપ્રિલ aibrean сәуір មេសា ಏಪ್ರಿಲ್ апрель ເມສາ ມ.ສ abrell balandis ഏപ്രിൽ एप्रिल अप्रिल ਅਪ੍ਰੈਲ اپریل ஏப்ரல் ఏప్రిల్ เมษายน เม.ย квітень ኤፕሪል abriil ephreli ghiblean giblean ebrel අප්‍රේල් ଅପ୍ରେଲ nsn אַפּריל",
        "մայիսի մյս maiatza маи maig svibnja svibanj majo مهٔ مه მაისი bealtaine мамыр ឧសភា ພຶດສະພາ ພ.ພ mee മേയ് mejju ਮਈ مۍ พฤษภาคม พ.ค травень مئی ሜይ maayo meyi cheitean ceitean මැයි ମଇ gulan gln מיי",
        "junie qershor հունիսի հնս iyun iyn ekaina чэрвеня чэрвень জুন ဇွန် juny lipnja lipanj mehefin ژوئن hunyo xuno ივნისი જૂન meitheamh маусым មិថុនា ಜೂನ್ июнь ມິຖຸນາ ມິ.ຖ birzelis јуни ജൂൺ gunju जुन ਜੂਨ جون ஜூன் జూన్ มิถุนายน มิ.ย червень ጁን ogmhios t-ogmhios mezheven ජූනි ଜୁନ heziran hzr",
        "julie korrik հուլիսի հլս iyul iyl uztaila ліпеня ліпень জুলাই জুল ဇူလိုင် juliol srpnja srpanj gorffennaf ژوئیهٔ ژوئیه hulyo xullo ივლისი જુલાઈ iuil шілде កក្កដា ಜುಲೈ июль ກໍລະກົດ ກ.ລ liepa јули julai ജൂലൈ lulju जुलै ਜੁਲਾਈ جولای ஜூலை జులై กรกฎาคม ก.ค липень جولائی ጁላይ luulyo julayi iuchar t-iuchar gouere ජූලි ଜୁଲାଇ tirmeh trm",
        "gusht օգոստոսի օգս avqust abuztua жніуня жнівень আগস্ট ဩဂုတ် kolovoza awst augusto اوت აგვისტო ઑગસ્ટ lunasa тамыз សីហា ಆಗಸ್ಟ್ ສິງຫາ ສ.ຫ rugpjutis ഓഗസ്റ്റ് awwissu ऑगस्ट अगस्ट ਅਗਸਤ اګست avgust agosti ஆகஸ்ட் ఆగస్టు สิงหาคม ส.ค серпень اگست ኦገስት ogosto ogs agasti lunastal eost අගෝස්තු ଅଗଷ୍ଟ tebax tbx אויגוסט awgust",
        "shtator սեպտեմբերի sentyabr iraila верасня верасень সেপ্টেম্বর সেপ septembar စက်တင်ဘာ setembre rujna rujan medi septembro سپتامبر setyembre სექტემბერი સપ્ટેમ્બર સપ્ટ mfomh қыркүиек កញ្ញា ಸೆಪ್ಟೆಂಬರ್ сентябрь ກັນຍາ ກ.ຍ rugsejis സെപ്റ്റംബർ settembru सप्टेंबर सेप्टेम्बर ਸਤੰਬਰ سېپتمبر سپتمبر செப்டம்பர் సెప్టెంబర్ กันยายน ก.ย вересень ستمبر sentabr ሴፕቴምበር sebtembar sebteembar septhemba t-sultain sult gwengolo සැප්තැම්බර් ସେପ୍ଟେମ୍ବର ilon iln סעפּטעמבער",
        "tetor հոկտեմբերի oktyabr urria кастрычніка অক্টোবর oktobar အောက်တိုဘာ hydref oktobro اکتبر oktubre ოქტომბერი ઑક્ટોબર ઑક્ટ dfomh қазан តុលា ಅಕ್ಟೋಬರ್ октябрь ຕຸລາ ຕ.ລ spalis ഒക‌്ടോബർ ഒക്ടോ ottubru ऑक्टोबर अक्टोबर ਅਕਤੂਬਰ اکتوبر அக்டோபர் అక్టోబర్ ตุลาคม ต.ค жовтень oktabr ኦክቶበር oktoobar okthoba damhair here ඔක්තෝබර් ଅକ୍ଟୋବର cotmeh אקטאבער",
        "nentor նոյեմբերի noyabr azaroa лістапада নভেম্বর novembar နိုဝင်ဘာ studenoga studeni tachwedd نوامبر nobyembre ნოემბერი નવેમ્બર નવ samhain қараша វិច្ឆិកា ನವೆಂಬರ್ ноябрь ພະຈິກ ພ.ຈ lapkritis നവംബർ novembru नोव्हेंबर नोभेम्बर ਨਵੰਬਰ نومبر நவம்பர் నవంబర్ พฤศจิกายน พ.ย ኖቬምበር noofeembar nof t-samhain නොවැම්බර් ନଭେମ୍ବର mijdar mjd נאוועמבער",
        "dhjetor դեկտեմբերի dekabr abendua снежня снежань ডিসেম্বর decembar ဒီဇင်ဘာ desembre prosinca prosinac rhagfyr decembro دسامبر disyembre დეკემბერი ડિસેમ્બર ડિસ nollaig желтоқсан ធ្នូ ಡಿಸೆಂಬರ್ декабрь ທັນວາ ທ.ວ gruodis disember ഡിസംബർ dicembru डिसेंबर डिसेम्बर ਦਸੰਬਰ دسمبر desemba டிசம்பர் డిసెంబర్ ธันวาคม ธ.ค грудень ዲሴምበር diseembar disemba dubhlachd kerzu kzu දෙසැම්බර් ଡିସେମ୍ବର berfanbar brf דעצעמבער",
    ].map { names in names.split(separator: " ").map { folded(String($0)) } }

    private static let weekdays = [
        "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag", "lundi", "mardi",
        "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunedi", "martedi", "mercoledi", "giovedi", "venerdi",
        "sabato", "domenica", "lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo", "segunda",
        "terca", "quarta", "quinta", "sexta", "feira", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag",
        "zaterdag", "zondag", "δευτερα", "τριτη", "τεταρτη", "πεμπτη", "παρασκευη", "σαββατο", "κυριακη", "hetfo",
        "kedd", "szerda", "csutortok", "pentek", "szombat", "vasarnap",
    ]

    /// Words between the parts of a date.
    private static let connecting: Set<String> = [
        "de", "del", "di", "den", "der", "le", "il", "el", "um", "uhr", "a", "h", "alle", "ore", "as", "om", "kl", "o",
        "º", "ª", "hrs",
    ]

    private static func folded(_ word: String) -> String {
        word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
    }

    /// Returns a month from 1 to 12 by its name or an unambiguous prefix.
    ///
    /// - Parameter inAllLanguages: Whether the word may be in one of the further languages.
    static func month(_ word: String, inAllLanguages: Bool = false) -> Int? {
        let name = folded(word)
        if let month = chineseMonths.firstIndex(of: word) { return month + 1 }
        guard name.count >= 3 || !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        func found(in names: [[String]]) -> [Int] {
            names.indices.filter { index in names[index].contains { $0.hasPrefix(name) } }
        }
        let known = found(in: months)
        if name.count >= 3, !known.isEmpty { return known.count == 1 ? known[0] + 1 : isGermanMarch(word) ? 3 : nil }
        guard inAllLanguages, !isFiller(word) else { return nil }
        let further = Set(known + found(in: furtherMonths))
        return further.count == 1 ? further.first.map { $0 + 1 } : nil
    }

    /// Whether a word is German's short March. Without its accent it also begins November in Finnish.
    private static func isGermanMarch(_ word: String) -> Bool { word.precomposedStringWithCanonicalMapping == "mär" }

    /// The names of months in Chinese, and in Japanese with numerals of its own.
    private static let chineseMonths = [
        "一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月",
    ]

    /// Returns a month from 1 to 12 by the words after Vietnamese `tháng`.
    static func month(afterThang words: String) -> Int? {
        [
            "một", "hai", "ba", "tư", "năm", "sáu", "bảy", "tám", "chín", "mười", "mười một", "mười hai",
        ].firstIndex(of: words == "giêng" ? "một" : words).map { $0 + 1 }
    }

    /// Whether a word precedes the number or the name of a month, as in Vietnamese: `5 Tháng 2`.
    static func isBeforeMonth(_ word: String) -> Bool { word.utf8.count > 4 && folded(word) == "thang" }

    /// Whether a word is a weekday or a prefix of one, or a connecting word.
    static func isFiller(_ word: String) -> Bool {
        let name = folded(word)
        return connecting.contains(name) || name.count >= 2 && weekdays.contains { $0.hasPrefix(name) }
    }

    // MARK: Korean, Japanese, Chinese

    /// Parses `2004년 05월 28일 오후 1:31:15`, `2011年11月16日 午後9時05分` or `2004-05-25 오후 11:23:17`.
    ///
    /// Korean and Japanese words imply the single time zone of their country; Chinese words for morning and afternoon
    /// imply China's.
    static func parseEastAsian(_ text: String) -> Instant? {
        guard text.unicodeScalars.contains(where: { $0.value >= 0x3000 }) else { return nil }
        var numbers: [Int] = []
        var isAfternoon: Bool?
        var (zone, yearBefore) = (0, 0)
        var digits = ""
        func finish() {
            if let value = Int(digits), digits.count <= 4 { numbers.append(value) }
            digits = ""
        }
        var rest = Substring(text)
        while let character = rest.first {
            if character.isASCII, character.isNumber {
                digits.append(character)
                rest = rest.dropFirst()
                continue
            }
            finish()
            if numbers.isEmpty, let era = eras.first(where: { rest.hasPrefix($0.name) }) {
                yearBefore = era.yearBefore
                rest = rest.dropFirst(era.name.count)
            } else if numbers.isEmpty, yearBefore > 0, character == "元" {
                // The first year.
                numbers.append(1)
                rest = rest.dropFirst()
            } else if let marker = markers.first(where: { rest.hasPrefix($0.word) }) {
                isAfternoon = marker.isAfternoon ?? isAfternoon
                zone = max(zone, marker.zone)
                rest = rest.dropFirst(marker.word.count)
            } else if character.isLetter, !isUnit(character) {
                return nil
            } else {
                rest = rest.dropFirst()
            }
        }
        finish()
        guard numbers.count == 3 || (5...6).contains(numbers.count) else { return nil }
        let year = yearBefore + numbers[0]
        guard year >= 1900 else { return nil }
        var hour = numbers.count > 3 ? numbers[3] : 0
        if let isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        return DateParser.instant(
            year: year, month: numbers[1], day: numbers[2], hour: hour,
            minute: numbers.count > 4 ? numbers[4] : 0,
            second: numbers.count > 5 ? numbers[5] : 0, offset: zone * 3600)
    }

    /// The eras of Japan and Taiwan with the year before their first one.
    private static let eras: [(name: String, yearBefore: Int)] = [
        ("令和", 2018), ("平成", 1988), ("昭和", 1925), ("民國", 1911), ("民国", 1911), ("西暦", 0),
    ]

    private static let markers: [(word: String, isAfternoon: Bool?, zone: Int)] = [
        ("오전", false, 9), ("오후", true, 9), ("년", nil, 9), ("午前", false, 9), ("午後", true, 9), ("時", nil, 9),
        ("上午", false, 8), ("下午", true, 8), ("时", nil, 8), ("点", nil, 8),
    ]

    /// Whether a word says that a time is in the morning or in the afternoon.
    static func isPartOfDay(_ word: String) -> Bool { markers.contains { $0.isAfternoon != nil && $0.word == word } }

    /// Whether a character is a unit after a number in a date, or a weekday in brackets.
    private static func isUnit(_ character: Character) -> Bool {
        "年月日分秒월일시분초星期周曜一二三四五六天火水木金土요화수목금토".contains(character)
    }
}
