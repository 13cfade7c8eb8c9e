#include "pliant/files/atomic_file.h"

#include "files/folder_test.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace pliant {

namespace {

using namespace testing_files;

class AtomicFiles : public FolderTest {};

TEST_F(AtomicFiles, FileAppearsOnlyWhenWhole)
{
    write_file(path("a.txt"), "old");
    {
        AtomicFile file(path("a.txt"));
        file.write("half ");
        EXPECT_EQ(read_all(path("a.txt")), "old");
        file.write("and half");
        file.commit();
    }
    EXPECT_EQ(read_all(path("a.txt")), "half and half");
    EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
}

TEST_F(AtomicFiles, FileWithoutCommitLeavesNothing)
{
    {
        AtomicFile file(path("a.txt"));
        file.write(std::string(100000, 'x'));
        EXPECT_FALSE(fs::exists(path("a.txt")));
    }
    EXPECT_TRUE(names().empty());
}

TEST_F(AtomicFiles, TwoFilesOfOneNameDoNotMix)
{
    AtomicFile first(path("a.txt")), second(path("a.txt"));
    first.write("first");
    second.write("second");
    first.commit();
    EXPECT_EQ(read_all(path("a.txt")), "first");
    second.commit();
    EXPECT_EQ(read_all(path("a.txt")), "second");
    EXPECT_EQ(names().size(), 1u);
}

TEST_F(AtomicFiles, AFolderIsMadeInsideAnExistingOne)
{
    write_file(path("one/a.txt"), "x");
    EXPECT_EQ(read_all(path("one/a.txt")), "x");
    const std::string message = file_error([&] { write_file(path("two/three/a.txt"), "x"); });
    EXPECT_NE(message.find("there is no folder '" + path("two/three") + "'"), std::string::npos) << message;
    EXPECT_NE(message.find("'" + path("two") + "' to create it in; create that first"), std::string::npos) << message;
    EXPECT_EQ(names(), std::vector<std::string>{"one"});
}

TEST_F(AtomicFiles, ALinkStaysAndItsTargetIsReplaced)
{
    fs::create_directory(path("far"));
    write_file(path("far/target"), "old");
    fs::create_symlink("far/target", path("link"));
    fs::create_symlink("link", path("link2"));
    write_file(path("link2"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link2")));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_FALSE(fs::is_symlink(path("far/target")));
    EXPECT_EQ(read_all(path("far/target")), "new");

    fs::create_symlink("far/made", path("dangling"));
    write_file(path("dangling"), "made");
    EXPECT_TRUE(fs::is_symlink(path("dangling")));
    EXPECT_EQ(read_all(path("far/made")), "made");

    fs::create_symlink("round", path("round"));
    EXPECT_NE(file_error([&] { write_file(path("round"), "x"); }).find(std::strerror(ELOOP)), std::string::npos);
}

TEST_F(AtomicFiles, PermissionsStay)
{
    write_file(path("a.txt"), "old");
    fs::permissions(path("a.txt"), fs::perms::owner_read | fs::perms::owner_write);
    write_file(path("a.txt"), "new");
    EXPECT_EQ(fs::status(path("a.txt")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFiles, APipeIsWrittenInto)
{
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_TRUE(is_stream(path("pipe")));
    std::string read;
    std::thread reader([&] { read = read_all(path("pipe")); });
    write_file(path("pipe"), "through");
    reader.join();
    EXPECT_EQ(read, "through");
    EXPECT_EQ(fs::status(path("pipe")).type(), fs::file_type::fifo) << "and is still one";
    EXPECT_EQ(names(), std::vector<std::string>{"pipe"});
}

/// A terminal of our own rather than /dev/null: a writer that replaces devices would do so to the whole machine.
TEST_F(AtomicFiles, ADeviceIsWrittenInto)
{
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0) << "mount devpts at /dev/pts";
    const std::string device = ptsname(terminal);
    const int kept_open = open(device.c_str(), O_RDWR | O_NOCTTY);
    fs::create_symlink(device, path("tty"));
    EXPECT_TRUE(is_stream(path("tty")));
    write_file(path("tty"), "said");
    std::array<char, 8> read_back{};
    EXPECT_EQ(read(terminal, read_back.data(), read_back.size()), 4);
    EXPECT_STREQ(read_back.data(), "said");
    EXPECT_EQ(fs::read_symlink(path("tty")), device);
    EXPECT_EQ(fs::status(device).type(), fs::file_type::character);
    EXPECT_EQ(names(), std::vector<std::string>{"tty"});
    close(kept_open);
    close(terminal);
    EXPECT_FALSE(is_stream(path("a.txt")));
}

TEST_F(AtomicFiles, ADashIsStandardOutput)
{
    for (const char* name : {"-", "/dev/stdout"}) {
        testing::internal::CaptureStdout();
        write_file(name, "said");
        EXPECT_EQ(testing::internal::GetCapturedStdout(), "said") << name;
    }
    EXPECT_FALSE(fs::exists("-"));
}

TEST_F(AtomicFiles, FullDiskLeavesTheOldFile)
{
    write_file(path("a.txt"), "old");
    for (const std::size_t size : {std::size_t{1500}, std::size_t{1000000}}) {  // seen by commit, and by write
        std::string message;
        {
            const SmallDisk disk(1000);
            message = file_error([&] { write_file(path("a.txt"), std::string(size, 'x')); });
        }
        EXPECT_NE(message.find(path("a.txt")), std::string::npos) << message;
        EXPECT_NE(message.find(std::strerror(EFBIG)), std::string::npos) << message;
        EXPECT_EQ(read_all(path("a.txt")), "old");
        EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
    }
}

TEST_F(AtomicFiles, UnwritablePlacesAreNamedWithTheReason)
{
    write_file(path("file"), "x");
    const std::string below = path("file/a.txt");
    std::string message = file_error([&] { write_file(below, "x"); });
    EXPECT_NE(message.find(below), std::string::npos) << message;
    EXPECT_NE(message.find(std::strerror(ENOTDIR)), std::string::npos) << message;

    fs::create_directory(path("folder"));
    message = file_error([&] { write_file(path("folder"), "x"); });
    EXPECT_NE(message.find(std::strerror(EISDIR)), std::string::npos) << message;
    EXPECT_EQ(names(), (std::vector<std::string>{"file", "folder"}));

    EXPECT_THROW(write_file("/proc/no/such/a.txt", "x"), FileError);
}

TEST_F(AtomicFiles, FolderMadeMeanwhileIsNoticedAtCommit)
{
    AtomicFile file(path("a.txt"));
    file.write("x");
    fs::create_directory(path("a.txt"));
    EXPECT_THROW(file.commit(), FileError);
    EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
}

}  // namespace

}  // namespace pliant
