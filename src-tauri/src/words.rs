//! The few words the program itself shows, outside the pages: title, tray, notification.

/// Words in one language.
pub(crate) struct Words {
    pub title: &'static str,
    pub open: &'static str,
    pub autostart: &'static str,
    pub quit: &'static str,
    pub still_printing: &'static str,
}

const ZH: Words = Words {
    title: "小票机 Tillroll",
    open: "打开窗口",
    autostart: "开机时自动启动",
    quit: "退出…",
    still_printing: "窗口已关闭，小票继续打印。从托盘图标可再次打开。",
};

const EN: Words = Words {
    title: "Tillroll",
    open: "Open the window",
    autostart: "Start with the computer",
    quit: "Quit…",
    still_printing: "The window is closed; receipts go on printing. Open it again from the tray.",
};

/// The words of a language tag or a `LANG` value; English for all but Chinese.
pub(crate) fn words_of(language: &str) -> &'static Words {
    if language.starts_with("zh") { &ZH } else { &EN }
}

/// The words of the system's language.
pub(crate) fn words_of_system() -> &'static Words {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    words_of(named.as_deref().unwrap_or("en"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_of_any_kind_is_chinese_and_the_rest_english() {
        assert_eq!(words_of("zh_CN.UTF-8").quit, ZH.quit);
        assert_eq!(words_of("zh-CN").quit, ZH.quit);
        assert_eq!(words_of("de_DE.UTF-8").quit, EN.quit);
        assert_eq!(words_of("C").quit, EN.quit);
    }
}
